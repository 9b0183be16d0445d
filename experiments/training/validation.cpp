#include "experiments/training/validation.h"

#include <algorithm>

#include "experiments/evaluation/evaluate.h"

namespace attnlab::training {
namespace {

double greedy_bleu(const spec::RunConfig& config, const data::Dataset& dataset, modules::Transformer& model) {
  const size_t count = std::min(static_cast<size_t>(config.training.valid_bleu_sentences), dataset.valid.size());
  const data::Pairs pairs = dataset.valid.first(count);
  const auto& lines = dataset.corpus.valid.target;
  const std::vector<std::string> references(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count));

  spec::DecodingConfig greedy = config.decoding;
  greedy.beam = 1;
  spec::EvaluationConfig bleu = config.evaluation;
  bleu.metrics = {"bleu"};
  const auto scores =
      evaluation::score_translations(evaluation::translate(model, dataset, pairs, greedy), references, bleu);
  return scores.metrics.at("bleu");
}

}  // namespace

ValidationReport validate(const spec::RunConfig& config, const data::Dataset& dataset, modules::Transformer& model,
                          int64_t step) {
  ValidationReport report;
  report.step = step;
  const auto scored =
      evaluation::score_loss(model, dataset.valid, dataset.target_tokenizer.bos(), config.training.batch_tokens);
  report.loss = scored.loss;
  report.perplexity = scored.perplexity;
  if (config.training.valid_bleu_sentences > 0 && !dataset.valid.empty())
    report.bleu = greedy_bleu(config, dataset, model);
  return report;
}

}  // namespace attnlab::training
