#include "experiments/probes/encodings.h"

#include <algorithm>
#include <cmath>

#include <c10/core/InferenceMode.h>

#include "experiments/evaluation/evaluate.h"
#include "experiments/page/figure.h"
#include "modules/evaluation_mode.h"
#include "modules/positional_encoding.h"
#include "modules/positions/registry.h"

namespace attnlab::probes {

namespace {

constexpr int64_t kMostRows = 1024;   // of a table that is looked at
constexpr int64_t kMostDrawn = 96;    // rows of the similarity matrix
constexpr uint64_t kShuffleSeed = 1;  // the same permutations for every run
constexpr double kSmallest = 1e-10;   // singular values below this share of the largest are rounding
const std::vector<int64_t> kOffsets = {1, 2, 4, 8, 16, 32};

const char* name_of(modules::Stack stack) {
  return stack == modules::Stack::encoder ? "encoder" : "decoder";
}

const modules::PositionOptions& options_of(const modules::TransformerOptions& model, modules::Stack stack) {
  return stack == modules::Stack::encoder ? model.encoder_positions : model.decoder_positions;
}

/// Rows that the table has, or `wanted` where it has no end.
int64_t rows_of(const modules::PositionOptions& positions, int64_t wanted) {
  const auto* method = modules::find_positions(positions.type);
  return method != nullptr && method->traits.bounded ? std::min(positions.max_length, wanted) : wanted;
}

/// Rows that training reached: the longest sentence of that side, with its end mark.
int64_t trained_rows(const data::Dataset& dataset, modules::Stack stack) {
  size_t longest = 1;
  for (const data::PairView pair : dataset.train)
    longest = std::max(longest, (stack == modules::Stack::encoder ? pair.source : pair.target).size());
  return static_cast<int64_t>(longest);
}

/// The mean length of an embedded token, scaled as the model does.
double embedding_norm(modules::Transformer& model, modules::Stack stack) {
  torch::Tensor table;
  for (const auto& entry : model->named_parameters(/*recurse=*/false)) {
    const bool own = entry.key() == (stack == modules::Stack::encoder ? "source_embedding" : "target_embedding");
    if (own || !table.defined()) table = entry.value();
  }
  const double scale = model->options().scale_embeddings ? std::sqrt(static_cast<double>(table.size(1))) : 1.0;
  return scale * table.to(torch::kFloat64).norm(2, 1).mean().item<double>();
}

std::vector<std::vector<double>> to_rows(const torch::Tensor& matrix) {
  std::vector<std::vector<double>> rows;
  for (int64_t r = 0; r < matrix.size(0); ++r) {
    rows.emplace_back();
    for (int64_t c = 0; c < matrix.size(1); ++c)
      rows.back().push_back(std::round(1e4 * matrix[r][c].item<double>()) / 1e4);
  }
  return rows;
}

/// Everything about one stack's table; null where the method adds nothing.
Json describe_stack(modules::Transformer& model, const data::Dataset& dataset, modules::Stack stack) {
  const modules::PositionOptions& positions = options_of(model->options(), stack);
  const int64_t all = rows_of(positions, std::min(kMostRows, 4 * model->options().d_model));
  const auto table = encoding_table(model, stack, all);
  if (!table) return nullptr;
  const int64_t reached = std::min(all, trained_rows(dataset, stack));
  const torch::Tensor used = table->narrow(0, 0, reached).cpu();
  Json offsets = Json::array();
  for (const int64_t offset : kOffsets) {
    if (const auto error = offset_error(*table, offset))
      offsets.push_back({{"offset", offset}, {"relative_error", *error}});
  }
  const double norm = used.norm(2, 1).mean().item<double>(), token = embedding_norm(model, stack);
  const int64_t drawn = std::min({all, kMostDrawn, std::max<int64_t>(16, 4 * reached)});
  return {{"method", positions.type},
          {"rows", all},
          {"trained_rows", reached},
          {"offsets", offsets},
          {"effective_rank", effective_rank(used)},
          {"mean_norm", norm},
          {"mean_norm_of_tokens", token},
          {"norm_ratio", norm / token},
          {"cosine_similarity", to_rows(cosine_matrix(table->narrow(0, 0, drawn).cpu()))}};
}

std::string draw(const Json& stack, const std::string& name) {
  return page::draw_heat_map(
             {"Cosine similarity of the " + name + "'s position encodings (" + stack["method"].get<std::string>() + ")",
              "position", "position", stack["cosine_similarity"].get<std::vector<std::vector<double>>>()})
      .document();
}

class Encodings : public Probe {
 public:
  explicit Encodings(const ProbeInput& input) : config_(input.config), dataset_(input.dataset) {}

  Findings finish(modules::Transformer& model, bool trained) override {
    Findings findings;
    if (!trained) return findings;
    for (const auto stack : {modules::Stack::encoder, modules::Stack::decoder})
      findings.document[name_of(stack)] = describe_stack(model, dataset_, stack);
    const Json& encoder = findings.document["encoder"];
    for (const char* name : {"encoder", "decoder"}) {
      const Json& stack = findings.document[name];
      if (findings.picture.empty() && !stack.is_null()) findings.picture = draw(stack, name);
    }
    if (!encoder.is_null()) {
      findings.metrics["encodings.effective_rank"] = encoder["effective_rank"];
      findings.metrics["encodings.norm_ratio"] = encoder["norm_ratio"];
      double largest = -1;
      for (const Json& entry : encoder["offsets"]) largest = std::max(largest, entry["relative_error"].get<double>());
      if (largest >= 0) findings.metrics["encodings.offset_error"] = largest;
    }
    if (!dataset_.test.empty()) {
      const double loss = test_loss(model, dataset_.test);
      const double shuffled = test_loss(model, shuffled_sources(dataset_.test.copy(), data::Random(kShuffleSeed)));
      findings.document["shuffle"] = {{"loss", loss}, {"shuffled_loss", shuffled}, {"rise", shuffled - loss}};
      findings.metrics["encodings.shuffle_loss_rise"] = shuffled - loss;
    }
    return findings;
  }

 private:
  double test_loss(modules::Transformer& model, const data::Pairs& pairs) const {
    return evaluation::score_loss(model, pairs, dataset_.target_tokenizer.bos(), config_.training.batch_tokens).loss;
  }

  const spec::RunConfig& config_;
  const data::Dataset& dataset_;
};

}  // namespace

std::optional<torch::Tensor> encoding_table(modules::Transformer& model, modules::Stack stack, int64_t count) {
  const modules::EvaluationMode evaluation(*model);
  const torch::NoGradGuard no_grad;
  auto* positions =
      model->named_children()[std::string(name_of(stack)) + "_positions"]->as<modules::PositionalEncodingImpl>();
  const torch::Tensor nothing = torch::zeros(
      {1, count, model->options().d_model}, torch::dtype(torch::kFloat64).device(model->parameters().front().device()));
  const torch::Tensor table = positions->forward(nothing, {0, count})[0].cpu();
  if (table.count_nonzero().item<int64_t>() == 0) return std::nullopt;
  return table;
}

torch::Tensor cosine_matrix(const torch::Tensor& table) {
  const torch::Tensor lengths = table.norm(2, 1, /*keepdim=*/true).clamp_min(1e-300);
  const torch::Tensor unit = table / lengths;
  return unit.matmul(unit.t());
}

std::optional<double> offset_error(const torch::Tensor& table, int64_t offset) {
  const int64_t pairs = table.size(0) - offset;
  if (pairs < 2) return std::nullopt;
  const auto every_second = [](const torch::Tensor& x, int64_t first) { return x.slice(0, first, x.size(0), 2); };
  const torch::Tensor from = table.narrow(0, 0, pairs), to = table.narrow(0, offset, pairs);
  // A pseudo-inverse: the slow sinusoids are so nearly straight lines that their columns depend on each other.
  const torch::Tensor map = torch::linalg_pinv(every_second(from, 0), kSmallest).matmul(every_second(to, 0));
  const torch::Tensor wanted = every_second(to, 1);
  const double error = (every_second(from, 1).matmul(map) - wanted).norm().item<double>();
  const double length = wanted.norm().item<double>();
  return length > 0 ? error / length : error;
}

double effective_rank(const torch::Tensor& table) {
  const torch::Tensor values = torch::linalg_svdvals(table);
  const double sum = values.sum().item<double>();
  if (!(sum > 0)) return 0;
  const torch::Tensor share = values / sum;
  return std::exp(-(share * share.clamp_min(1e-300).log()).sum().item<double>());
}

std::vector<data::EncodedPair> shuffled_sources(std::vector<data::EncodedPair> pairs, data::Random random) {
  for (data::EncodedPair& pair : pairs) {
    if (pair.source.empty()) continue;
    const int32_t end = pair.source.back();
    pair.source.pop_back();
    random.shuffle(pair.source);
    pair.source.push_back(end);
  }
  return pairs;
}

std::unique_ptr<Probe> make_encodings(const ProbeInput& input) {
  return std::make_unique<Encodings>(input);
}

}  // namespace attnlab::probes
