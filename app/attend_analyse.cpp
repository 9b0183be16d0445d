// The analyses of `attnlab attend --analyse`.

#include <map>

#include <fmt/format.h>

#include "app/attend.h"
#include "experiments/inspection/analyse.h"
#include "experiments/inspection/analyses/rollout.h"
#include "experiments/inspection/capture.h"
#include "experiments/inspection/pictures.h"
#include "experiments/inspection/prepare.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::app::attention {

namespace fs = std::filesystem;
using inspection::AttentionKind;

namespace {

/// The links of the analysed lines, from a file with a line for each of them, or for each of the `whole` split.
std::vector<inspection::GoldLinks> links_of_file(const std::string& file, const Lines& lines, const std::string& split,
                                                 size_t whole) {
  std::vector<inspection::GoldLinks> links = inspection::read_pharaoh(file);
  const size_t analysed = lines.sources.size();
  if (links.size() != analysed && links.size() != whole)
    throw Error(fmt::format(
        "--alignments {}: has {} lines, the {} split has {} sentences; they must be the same, line by line{}", file,
        links.size(), split, whole,
        analysed < whole ? fmt::format(", or the {} that --limit takes", analysed) : std::string()));
  links.resize(analysed);
  inspection::require_words(links, lines.sources, *lines.targets, file);
  return links;
}

}  // namespace

inspection::HeadReport analyse(const Arguments& a, Opened& opened, Progress& progress) {
  const std::string split = analysed_split(a);
  const data::Corpus corpus = corpus_for(opened.run, split);
  const Lines lines = lines_of_split(corpus, split, /*forced=*/true, a.limit);
  const Lines valid = lines_of_split(corpus, "valid", /*forced=*/true, 200);
  inspection::AnalysisInput input;
  input.sentences = inspection::prepare_sentences(opened.run, lines.sources, lines.targets, warn);
  input.gold = lines.gold;
  input.references = *lines.targets;
  input.validation = inspection::prepare_sentences(opened.run, valid.sources, valid.targets, warn);
  input.links = inspection::gold_links(lines.gold);
  if (!a.alignments.empty())
    input.links = links_of_file(a.alignments, lines, split, lines_of_split(corpus, split, true, 0).sources.size());
  inspection::AnalysisOptions options;
  options.bleu = a.removal_bleu;
  options.pruning = a.pruning;
  auto report = inspection::analyse(opened.run, input, options,
                                    [&](const std::string& what, double done) { progress.show(what, done); });
  report.about = opened.plan.about;
  report.about["split"] = split;
  return report;
}

namespace {

/// The mean over the heads of each layer of self-attention, which is all that a rollout needs.
class HeadMeans : public inspection::MapsSink {
 public:
  void write(const inspection::Sentence&, const inspection::KindMaps& part) override {
    if (part.kind != AttentionKind::cross) means[part.kind].push_back(inspection::head_means(part.weights));
  }
  void end_sentence(const inspection::Sentence&) override {}

  std::map<AttentionKind, std::vector<torch::Tensor>> means;
};

}  // namespace

std::vector<std::string> write_rollouts(const fs::path& out, Opened& opened) {
  const inspection::Sentence& sentence = opened.plan.sentences.front();
  HeadMeans layers;
  inspection::capture(opened.run.model, {sentence}, {}, layers);
  std::vector<std::string> names;
  for (const auto& [kind, means] : layers.means) {
    const auto rollout = inspection::attention_rollout(torch::cat(means));
    names.push_back(fmt::format("rollout-{}.svg", inspection::to_string(kind)));
    const auto& tokens = inspection::query_tokens(sentence, kind);
    write_file_atomically(out / names.back(), inspection::draw_matrix(rollout[-1], tokens, tokens,
                                                                      fmt::format("Attention rollout of the {}",
                                                                                  inspection::to_string(kind))));
  }
  return names;
}

void print_summary(const inspection::HeadReport& report) {
  fmt::print("{} sentences of the {} split with their references\n", report.sentences, report.about.at("split"));
  fmt::print("{:8} {:>5} {:>4} {:>8} {:>8} {:>8} {:>7} {:9} {:>7} {:>7} {:>10} {:>9}\n", "kind", "layer", "head",
             "entropy", "distance", "confid.", "special", "role", "AER", "coref.", "importance", "loss+");
  const auto cell = [](const std::optional<double>& value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : std::string("-");
  };
  for (const auto& head : report.heads) {
    fmt::print("{:8} {:5} {:4} {:8.3f} {:8.3f} {:8.3f} {:7.3f} {:9} {:>7} {:>7} {:>10} {:>9}\n",
               inspection::to_string(head.address.kind), head.address.layer, head.address.head, head.entropy,
               head.distance, head.confidence, head.special_share, inspection::to_string(head.role),
               cell(head.alignment_error_rate, 3), cell(head.coreference_accuracy, 3), cell(head.importance, 5),
               cell(head.loss_change, 4));
  }
  fmt::print(
      "confid.: mean largest weight of a row; special: mean weight on begin and end marks; AER: alignment error rate; "
      "coref.: share of pronouns whose row is largest at the antecedent; importance: mean |dL/dg| of a gate g on the "
      "head; loss+: change of the loss without the head (nats per token); -: not known for this head\n");
  for (const auto& [kind, chance] : report.coreference_chance)
    fmt::print("coreference by chance, {}: {:.3f} ({} pronouns)\n", inspection::to_string(kind), chance,
               report.pronouns);
}

}  // namespace attnlab::app::attention
