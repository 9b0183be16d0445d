#include "experiments/probes/lengths.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "experiments/data/generate/registry.h"
#include "experiments/evaluation/evaluate.h"
#include "experiments/evaluation/token_scores.h"
#include "experiments/page/figure.h"
#include "experiments/spec/generators.h"
#include "modules/evaluation_mode.h"
#include "support/number_text.h"

namespace attnlab::probes {

namespace {

constexpr int64_t kDrawn = 48;
constexpr uint64_t kStream = 77;  // of the generator, apart from those of the splits

/// Pairs with their raw references.
struct Tested {
  std::vector<data::EncodedPair> pairs;
  std::vector<std::string> references;
  size_t from_test_set = 0;  // the first so many
  int64_t too_long = 0;
};

int64_t pieces(std::span<const int32_t> ids) {
  return static_cast<int64_t>(ids.size()) - 1;
}

int64_t longest_source(const data::Pairs& pairs) {
  int64_t longest = 1;
  for (const data::PairView pair : pairs) longest = std::max(longest, pieces(pair.source));
  return longest;
}

data::Ids encode(const tokenizer::Tokenizer& tokenizer, const std::string& line) {
  data::Ids ids = tokenizer.encode(line);
  ids.push_back(tokenizer.eos());
  return ids;
}

Tested tested_pairs(const spec::RunConfig& config, const data::Dataset& dataset) {
  Tested tested{dataset.test.copy(), dataset.corpus.test.target, dataset.test.size(), 0};
  const data::Split longer = draw_longer(config.data);
  for (size_t i = 0; i < longer.source.size(); ++i) {
    data::EncodedPair pair{encode(dataset.source_tokenizer, longer.source[i]),
                           encode(dataset.target_tokenizer, longer.target[i])};
    if (std::max(pieces(pair.source), pieces(pair.target)) > config.data.max_pieces) {
      ++tested.too_long;
      continue;
    }
    tested.pairs.push_back(std::move(pair));
    tested.references.push_back(longer.target[i]);
  }
  return tested;
}

void append(std::vector<double>& values, const torch::Tensor& more) {
  const torch::Tensor numbers = more.to(torch::kFloat64).cpu();
  const auto* first = numbers.const_data_ptr<double>();
  values.insert(values.end(), first, first + numbers.numel());
}

/// What is known of some of the pairs.
struct Group {
  int64_t pairs = 0;
  TokenSums sums;
  std::vector<std::string> hypotheses, references;

  void add(const std::vector<TokenSums>& tokens, const std::string& hypothesis, const std::string& reference) {
    ++pairs;
    for (const TokenSums& token : tokens) {
      sums.tokens += token.tokens;
      sums.loss += token.loss;
      sums.right += token.right;
    }
    hypotheses.push_back(hypothesis);
    references.push_back(reference);
  }
  double loss() const { return sums.loss / static_cast<double>(sums.tokens); }
  double accuracy() const { return 100 * sums.right / static_cast<double>(sums.tokens); }
};

Json to_json(const Group& group, const spec::EvaluationConfig& config) {
  Json scores = Json::object();
  const auto scored = evaluation::score_translations(group.hypotheses, group.references, config);
  for (const auto& [name, value] : scored.metrics) scores[name] = finite_or_null(value);
  return {{"pairs", group.pairs},
          {"target_tokens", group.sums.tokens},
          {"loss", finite_or_null(group.loss())},
          {"accuracy", finite_or_null(group.accuracy())},
          {"scores", scores}};
}

Json by_position(const std::vector<std::vector<TokenSums>>& tokens) {
  std::vector<TokenSums> positions;
  for (const auto& pair : tokens) {
    positions.resize(std::max(positions.size(), pair.size()));
    for (size_t t = 0; t < pair.size(); ++t) {
      positions[t].tokens += pair[t].tokens;
      positions[t].loss += pair[t].loss;
      positions[t].right += pair[t].right;
    }
  }
  Json list = Json::array();
  for (size_t t = 0; t < positions.size(); ++t) {
    const auto count = static_cast<double>(positions[t].tokens);
    list.push_back({{"position", t},
                    {"tokens", positions[t].tokens},
                    {"loss", finite_or_null(positions[t].loss / count)},
                    {"accuracy", finite_or_null(100 * positions[t].right / count)}});
  }
  return list;
}

const char* group_of(double most) {
  return most <= 1 ? "within" : most <= 2 ? "to_2x" : "to_4x";
}

std::string draw(const Json& document) {
  page::Chart chart;
  chart.title = "Scores by source length";
  chart.x_label = "source length / longest training source";
  chart.y_label = "percent";
  page::Series accuracy{"token accuracy", {}}, exact{"exact sentences", {}};
  for (const Json& bucket : document["by_source_length"]) {
    if (bucket["accuracy"].is_number()) accuracy.points.emplace_back(bucket["most"], bucket["accuracy"]);
    exact.points.emplace_back(bucket["most"], bucket["scores"]["exact"]);
  }
  chart.series = {accuracy, exact};
  return page::draw_chart(chart).document();
}

class Lengths : public Probe {
 public:
  explicit Lengths(const ProbeInput& input) : config_(input.config), dataset_(input.dataset) {}

  Findings finish(modules::Transformer& model, bool trained) override {
    Findings findings;
    const Tested tested = tested_pairs(config_, dataset_);
    if (!trained || tested.pairs.empty()) return findings;
    const auto tokens = token_sums(model, tested.pairs, dataset_.target_tokenizer.bos(), config_.training.batch_tokens);
    const auto hypotheses = evaluation::translate(model, dataset_, tested.pairs, config_.decoding);
    const int64_t trained_length = longest_source(dataset_.train);

    const auto& edges = length_buckets();
    std::vector<Group> buckets(edges.size());
    std::map<std::string, Group> groups;
    int64_t beyond = 0;
    for (size_t i = 0; i < tested.pairs.size(); ++i) {
      const int bucket = bucket_of(pieces(tested.pairs[i].source), trained_length);
      if (bucket < 0) {
        ++beyond;
        continue;
      }
      const auto b = static_cast<size_t>(bucket);
      buckets[b].add(tokens[i], hypotheses[i], tested.references[i]);
      groups[group_of(edges[b].most)].add(tokens[i], hypotheses[i], tested.references[i]);
    }

    Json list = Json::array();
    for (size_t b = 0; b < buckets.size(); ++b) {
      if (buckets[b].pairs == 0) continue;
      Json entry = {{"above", edges[b].above}, {"most", edges[b].most}};
      entry.update(to_json(buckets[b], config_.evaluation));
      list.push_back(std::move(entry));
    }
    const auto first = static_cast<std::ptrdiff_t>(tested.from_test_set);
    findings.document = {{"training_length", trained_length},
                         {"test_pairs", tested.from_test_set},
                         {"drawn_pairs", tested.pairs.size() - tested.from_test_set},
                         {"left_out", {{"longer_than_max_pieces", tested.too_long}, {"longer_than_4x", beyond}}},
                         {"by_position", by_position({tokens.begin(), tokens.begin() + first})},
                         {"by_position_longer", by_position({tokens.begin() + first, tokens.end()})},
                         {"by_source_length", list}};
    for (const auto& [name, group] : groups) {
      const Json numbers = to_json(group, config_.evaluation);
      findings.document["groups"][name] = numbers;
      findings.metrics["lengths." + name + ".loss"] = group.loss();
      findings.metrics["lengths." + name + ".accuracy"] = group.accuracy();
      findings.metrics["lengths." + name + ".exact"] = numbers["scores"]["exact"];
    }
    findings.picture = draw(findings.document);
    return findings;
  }

 private:
  const spec::RunConfig& config_;
  const data::Dataset& dataset_;
};

}  // namespace

std::vector<std::vector<TokenSums>> token_sums(modules::Transformer& model, const data::Pairs& pairs, int32_t bos,
                                               int64_t batch_tokens) {
  const modules::EvaluationMode evaluation(*model);
  const c10::InferenceMode inference;
  std::vector<std::vector<TokenSums>> sums(pairs.size());
  for (const auto& rows : data::scoring_batches(pairs, batch_tokens)) {
    const data::Batch batch = data::make_batch(pairs, rows, /*pad=*/0, bos);  // padded ids are never looked at
    std::vector<double> log_probability, right;
    evaluation::score_tokens(model, batch, [&](const evaluation::TokenScores& scores) {
      append(log_probability, scores.log_probabilities);
      append(right, scores.right);
    });
    size_t token = 0;
    for (size_t row = 0; row < rows.size(); ++row) {
      for (int64_t t = 0; t < batch.target_lengths[row]; ++t, ++token)
        sums[static_cast<size_t>(rows[row])].push_back({1, -log_probability[token], right[token]});
    }
  }
  return sums;
}

const std::vector<LengthBucket>& length_buckets() {
  static const std::vector<LengthBucket> buckets = {{0, 0.25},   {0.25, 0.5}, {0.5, 0.75}, {0.75, 1}, {1, 1.25},
                                                    {1.25, 1.5}, {1.5, 2},    {2, 3},      {3, 4}};
  return buckets;
}

int bucket_of(int64_t length, int64_t trained) {
  const double multiple = static_cast<double>(length) / static_cast<double>(trained);
  const auto& buckets = length_buckets();
  for (size_t i = 0; i < buckets.size(); ++i) {
    if (multiple <= buckets[i].most) return static_cast<int>(i);
  }
  return -1;
}

data::Split draw_longer(const spec::DataConfig& config) {
  data::Split split;
  if (!spec::has_symbols(config.generator)) return split;
  const data::Generator& generator = data::find_generator(config.generator);
  const auto longest = static_cast<double>(config.max_length);
  for (const LengthBucket& bucket : length_buckets()) {
    if (bucket.most <= 1) continue;
    spec::DataConfig longer = config;
    longer.min_length = static_cast<int64_t>(std::floor(bucket.above * longest)) + 1;
    longer.max_length = static_cast<int64_t>(std::floor(bucket.most * longest));
    if (longer.min_length > longer.max_length) continue;
    data::Random random(static_cast<uint64_t>(config.seed), kStream + static_cast<uint64_t>(longer.min_length));
    for (int64_t i = 0; i < kDrawn; ++i) {
      data::Sentence sentence = generator.draw(longer, data::SplitName::test, random);
      split.source.push_back(std::move(sentence.source));
      split.target.push_back(std::move(sentence.target));
    }
  }
  return split;
}

std::unique_ptr<Probe> make_lengths(const ProbeInput& input) {
  return std::make_unique<Lengths>(input);
}

}  // namespace attnlab::probes
