#include "experiments/inspection/analyse.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "experiments/decoding/decode.h"
#include "experiments/evaluation/evaluate.h"
#include "experiments/inspection/analyses/coreference.h"
#include "experiments/inspection/analyses/rows.h"
#include "experiments/inspection/capture.h"
#include "experiments/inspection/sentence.h"

namespace attnlab::inspection {

namespace {

std::vector<data::EncodedPair> encoded_all(const std::vector<Sentence>& sentences) {
  std::vector<data::EncodedPair> pairs;
  for (const Sentence& sentence : sentences) pairs.push_back(encoded(sentence));
  return pairs;
}

/// Mean over rows of the distances between all heads of each kind. The layers of one kind are held to be compared.
class JensenShannonMean {
 public:
  void add(const KindMaps& part) {
    if (sentences_ == kJensenShannonSentences) return;
    if (part.kind != kind_) end_kind();
    kind_ = part.kind;
    layers_.push_back(part.weights);
  }
  void end_sentence() {
    end_kind();
    sentences_ = std::min(sentences_ + 1, kJensenShannonSentences);
  }
  std::map<AttentionKind, torch::Tensor> result() const {
    std::map<AttentionKind, torch::Tensor> means;
    for (const auto& [kind, sum] : sums_) means[kind] = sum / rows_.at(kind);
    return means;
  }

 private:
  void end_kind() {
    if (layers_.empty()) return;
    const torch::Tensor weights = torch::cat(std::exchange(layers_, {}));  // [layers, heads, Tq, Tk]
    const auto rows = static_cast<double>(weights.size(2));
    const torch::Tensor sum = jensen_shannon(weights.flatten(0, 1)) * rows;
    torch::Tensor& total = sums_[kind_];
    total = total.defined() ? total + sum : sum;
    rows_[kind_] += rows;
  }

  int64_t sentences_ = 0;
  AttentionKind kind_ = AttentionKind::encoder;
  std::vector<torch::Tensor> layers_;
  std::map<AttentionKind, torch::Tensor> sums_;
  std::map<AttentionKind, double> rows_;
};

/// Looks at weights as they come.
class WeightAnalyses : public MapsSink {
 public:
  WeightAnalyses(const AnalysisInput& input, const AnalysisProgress& progress) : input_(input), progress_(progress) {}

  void write(const Sentence& sentence, const KindMaps& part) override {
    if (!begun_ && !input_.links.empty()) alignment.begin(sentence, input_.links[next_]);
    begun_ = true;
    summary.add(sentence, part);
    distances.add(part);
    if (!input_.links.empty()) alignment.add(sentence, part, input_.links[next_]);
    if (!input_.gold.empty()) coreference.add(sentence, part, input_.gold[next_]);
  }

  void end_sentence(const Sentence&) override {
    distances.end_sentence();
    begun_ = false;
    ++next_;
    if (progress_) progress_("attention", static_cast<double>(next_) / static_cast<double>(input_.sentences.size()));
  }

  SummaryBuilder summary;
  AlignmentScorer alignment;
  CoreferenceScorer coreference;
  JensenShannonMean distances;

 private:
  const AnalysisInput& input_;
  const AnalysisProgress& progress_;
  size_t next_ = 0;
  bool begun_ = false;
};

/// Everything that weights alone tell.
void analyse_weights(checkpoint::TrainedRun& run, const AnalysisInput& input, HeadReport& report,
                     const AnalysisProgress& progress) {
  WeightAnalyses analyses(input, progress);
  capture(run.model, input.sentences, {}, analyses);
  report.sentences = static_cast<int64_t>(input.sentences.size());
  report.heads = analyses.summary.result();
  report.layer_alignment = analyses.alignment.layer_means();
  report.aligned_sentences = analyses.alignment.sentences();
  report.unaligned_sentences = analyses.alignment.skipped();
  report.jensen_shannon = analyses.distances.result();
  const auto rates = analyses.alignment.heads();
  const auto scores = analyses.coreference.heads();
  for (HeadSummary& head : report.heads) {
    if (const auto found = rates.find(head.address); found != rates.end()) head.alignment_error_rate = found->second;
    const auto score = scores.find(head.address);
    if (score == scores.end()) continue;
    head.coreference_accuracy = score->second.accuracy;
    head.coreference_share = score->second.share;
    report.coreference_chance[head.address.kind] = score->second.chance;
    report.pronouns = std::max(report.pronouns, score->second.pronouns);
  }
}

/// Loss and greedy BLEU of a run whose heads are removed.
class Surgery {
 public:
  explicit Surgery(checkpoint::TrainedRun& run) : run_(run), device_(run.model->parameters().front().device()) {}

  double loss(const std::vector<data::EncodedPair>& pairs, const std::vector<HeadAddress>& removed) {
    const modules::HeadGates gates = without(removed);
    return gated_loss(run_.model, pairs, run_.tokenizers.target.bos(), run_.config.training.batch_tokens, gates);
  }

  double bleu(const std::vector<data::EncodedPair>& pairs, const std::vector<std::string>& references,
              const std::vector<HeadAddress>& removed) {
    const modules::HeadGates gates = without(removed);
    decoding::DecodeOptions options;
    options.search = run_.config.decoding;
    options.search.beam = 1;
    options.special = decoding::special_ids(run_.tokenizers.target);
    options.gates = &gates;
    std::vector<tokenizer::Ids> sources;
    for (const data::EncodedPair& pair : pairs) sources.push_back(pair.source);
    std::vector<std::string> hypotheses;
    for (const auto& best : decoding::decode(run_.model, sources, options)) {
      std::string text = run_.tokenizers.target.decode(best.front().ids);
      std::replace(text.begin(), text.end(), '\n', ' ');
      hypotheses.push_back(std::move(text));
    }
    spec::EvaluationConfig evaluation = run_.config.evaluation;
    evaluation.metrics = {"bleu"};
    return evaluation::score_translations(hypotheses, references, evaluation).metrics.at("bleu");
  }

 private:
  modules::HeadGates without(const std::vector<HeadAddress>& removed) const {
    return gates_without(removed, run_.model->options(), device_);
  }

  checkpoint::TrainedRun& run_;
  torch::Device device_;
};

void assign(HeadReport& report, std::optional<double> HeadSummary::*member,
            const std::map<HeadAddress, double>& values) {
  for (HeadSummary& head : report.heads) head.*member = values.at(head.address);
}

}  // namespace

std::vector<GoldLinks> gold_links(const std::vector<data::Gold>& gold) {
  std::vector<GoldLinks> links;
  for (const data::Gold& one : gold) links.push_back({one.alignment, {}});
  return links;
}

HeadReport analyse(checkpoint::TrainedRun& run, const AnalysisInput& input, const AnalysisOptions& options,
                   const AnalysisProgress& progress) {
  HeadReport report;
  analyse_weights(run, input, report, progress);
  const auto part = [&](const std::string& what) {
    return progress ? Progress([&progress, what](double done) { progress(what, done); }) : Progress();
  };
  const auto pairs = encoded_all(input.sentences), validation = encoded_all(input.validation);
  const auto heads = all_heads(run.model->options());
  Surgery surgery(run);
  report.loss = surgery.loss(pairs, {});
  const auto importance = gradient_importance(run.model, pairs, run.tokenizers.target.bos(), part("importance"));
  assign(report, &HeadSummary::importance, importance);
  assign(report, &HeadSummary::importance_in_layer, normalised_by_layer(importance));
  const GateScore bleu = [&](const std::vector<HeadAddress>& removed) {
    return surgery.bleu(pairs, input.references, removed);
  };
  if (options.removal) {
    const auto loss = [&](const std::vector<HeadAddress>& removed) { return surgery.loss(pairs, removed); };
    assign(report, &HeadSummary::loss_change, removal_change(heads, loss, part("loss without each head")));
  }
  if (options.bleu)
    assign(report, &HeadSummary::bleu_change, removal_change(heads, bleu, part("BLEU without each head")));
  if (options.pruning) {
    const auto loss = [&](const std::vector<HeadAddress>& removed) { return surgery.loss(validation, removed); };
    const int64_t every =
        std::max<int64_t>(1, static_cast<int64_t>(heads.size()) / std::max<int64_t>(1, options.points));
    report.pruning = greedy_pruning(heads, loss, bleu, every, part("pruning"));
  }
  return report;
}

}  // namespace attnlab::inspection
