#include "experiments/spec/metrics.h"

#include <algorithm>

namespace attnlab::spec {

const std::vector<MetricVariant>& metric_variants() {
  static const std::vector<MetricVariant> variants = {
      {.name = "test.bleu",
       .label = "BLEU",
       .description = "BLEU of the test set (sacreBLEU)",
       .better = Better::higher,
       .is_goal = true,
       .score = {"bleu", "BLEU"}},
      {.name = "test.multi_bleu",
       .label = "multi-BLEU",
       .description = "BLEU of a tokenised test set (multi-bleu.perl); evaluation.metrics must name multi_bleu",
       .better = Better::higher,
       .is_goal = true,
       .score = {"multi_bleu",
                 "BLEU as Moses' multi-bleu.perl has it, for tokenised text: words between blanks, no smoothing"}},
      {.name = "test.chrf",
       .label = "chrF",
       .description = "chrF of the test set (sacreBLEU); evaluation.metrics must name chrf",
       .better = Better::higher,
       .is_goal = true,
       .score = {"chrf", "chrF"}},
      {.name = "test.ter",
       .label = "TER",
       .description = "TER of the test set (sacreBLEU); evaluation.metrics must name ter",
       .better = Better::lower,
       .is_goal = true,
       .score = {"ter", "translation edit rate"}},
      {.name = "test.exact",
       .label = "exact %",
       .description = "share of test sentences that are right word for word, in percent",
       .better = Better::higher,
       .is_goal = true},
      {.name = "test.perplexity",
       .label = "perplexity",
       .description = "perplexity per piece of the test references",
       .better = Better::lower,
       .decimals = 3,
       .is_goal = true},
      {.name = "valid.loss",
       .label = "valid loss",
       .description = "lowest validation loss per piece, in nats, not smoothed",
       .better = Better::lower,
       .decimals = 4,
       .is_goal = true,
       .is_column = false},
      {.name = "valid.perplexity",
       .label = "valid perplexity",
       .description = "exp(valid.loss)",
       .better = Better::lower,
       .decimals = 3,
       .is_goal = true,
       .is_column = false},
      {.name = "test.loss",
       .label = "test loss",
       .description = "loss per piece of the test references, in nats, not smoothed",
       .better = Better::lower,
       .decimals = 4,
       .is_column = false},
      {.name = "test.accuracy",
       .label = "token acc %",
       .description = "share of the pieces of the test references whose likeliest prediction is right, in percent",
       .better = Better::higher,
       .is_column = false},
      {.name = "heads.coreference",
       .label = "best head coref. %",
       .description = "how often the best head looks from a pronoun to its antecedent, in percent",
       .better = Better::higher,
       .is_explained = true},
      {.name = "heads.alignment_error_rate",
       .label = "best head AER %",
       .description = "alignment error rate of the best head of cross-attention, in percent",
       .better = Better::lower,
       .is_explained = true},
      {.name = "parameters", .label = "parameters", .description = "numbers that are trained", .is_count = true},
      {.name = "train.tokens_per_second",
       .label = "tokens/s",
       .description = "target tokens of training in a second",
       .better = Better::higher,
       .is_count = true},
      {.name = "minutes",
       .label = "minutes",
       .description = "wall time over all starts",
       .better = Better::lower,
       .decimals = 1},
  };
  return variants;
}

const MetricVariant* find_metric(const std::string& name) {
  const auto& all = metric_variants();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& metric) { return metric.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<Choice> metric_names() {
  std::vector<Choice> names;
  for (const MetricVariant& metric : metric_variants()) {
    if (metric.is_goal) names.push_back({metric.name, metric.description});
  }
  return names;
}

std::vector<Choice> score_names() {
  std::vector<Choice> names;
  for (const MetricVariant& metric : metric_variants()) {
    if (!metric.score.name.empty()) names.push_back(metric.score);
  }
  return names;
}

const MetricVariant* find_score(const std::string& score) {
  const auto& all = metric_variants();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& metric) { return metric.score.name == score; });
  return score.empty() || found == all.end() ? nullptr : &*found;
}

}  // namespace attnlab::spec
