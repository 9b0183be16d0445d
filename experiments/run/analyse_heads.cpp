#include "experiments/run/analyse_heads.h"

#include <algorithm>
#include <limits>

#include "experiments/checkpoint/trained_run.h"
#include "experiments/inspection/analyse.h"
#include "experiments/inspection/report.h"
#include "experiments/inspection/sentence.h"
#include "support/files.h"

namespace attnlab::run {

namespace {

std::map<std::string, double> best_heads(const inspection::HeadReport& report) {
  std::map<std::string, double> metrics;
  const auto keep = [&metrics](const char* name, double value, auto better) {
    const auto [known, is_new] = metrics.emplace(name, 100 * value);
    if (!is_new) known->second = better(known->second, 100 * value);
  };
  const auto larger = [](double a, double b) { return std::max(a, b); };
  const auto smaller = [](double a, double b) { return std::min(a, b); };
  for (const inspection::HeadSummary& head : report.heads) {
    if (head.coreference_accuracy) keep("heads.coreference", *head.coreference_accuracy, larger);
    if (head.alignment_error_rate) keep("heads.alignment_error_rate", *head.alignment_error_rate, smaller);
  }
  return metrics;
}

}  // namespace

std::map<std::string, double> analyse_heads(const spec::RunConfig& config, const data::Dataset& dataset,
                                            modules::Transformer& model, const std::filesystem::path& folder) {
  constexpr int64_t all = std::numeric_limits<int64_t>::max();
  inspection::AnalysisInput input;
  input.sentences = inspection::given_sentences(dataset, dataset.corpus.test, dataset.test, all);
  input.gold = dataset.corpus.test.gold;
  input.links = inspection::gold_links(input.gold);
  checkpoint::TrainedRun run{config, {dataset.source_tokenizer, dataset.target_tokenizer}, model};
  run.model->eval();
  inspection::HeadReport report = inspection::analyse(run, input, {});
  report.about = {{"split", "test"}, {"weights", config.training.evaluate}};
  make_folder(folder);
  inspection::write_report(folder, report);
  return best_heads(report);
}

}  // namespace attnlab::run
