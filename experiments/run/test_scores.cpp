#include "experiments/run/test_scores.h"

#include <string>
#include <vector>

#include "experiments/evaluation/evaluate.h"
#include "support/files.h"

namespace attnlab::run {
namespace {

namespace fs = std::filesystem;

void write_lines(const fs::path& path, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  write_file_atomically(path, text);
}

void score_losses(const spec::RunConfig& config, const data::Dataset& dataset, modules::Transformer& model,
                  run_folder::RunRecord& record) {
  const int32_t bos = dataset.target_tokenizer.bos();
  const auto valid = evaluation::score_loss(model, dataset.valid, bos, config.training.batch_tokens);
  record.metrics["valid.loss"] = valid.loss;
  record.metrics["valid.perplexity"] = valid.perplexity;
  const auto test = evaluation::score_loss(model, dataset.test, bos, config.training.batch_tokens);
  record.metrics["test.loss"] = test.loss;
  record.metrics["test.perplexity"] = test.perplexity;
  record.metrics["test.accuracy"] = 100 * test.accuracy;
}

}  // namespace

void score_test_set(const spec::RunConfig& config, const fs::path& folder, const data::Dataset& dataset,
                    modules::Transformer& model, training::Observer& observer, run_folder::RunRecord& record) {
  score_losses(config, dataset, model, record);
  const auto hypotheses = evaluation::translate(model, dataset, dataset.test, config.decoding);
  write_lines(folder / "translations.txt", hypotheses);
  write_lines(folder / "references.txt", dataset.corpus.test.target);
  const auto scores = evaluation::score_translations(hypotheses, dataset.corpus.test.target, config.evaluation);
  for (const auto& [name, value] : scores.metrics) record.metrics["test." + name] = value;
  for (const auto& [name, signature] : scores.signatures) record.signatures["test." + name] = signature;
  for (const std::string& warning : scores.warnings) observer.warned(warning);
}

}  // namespace attnlab::run
