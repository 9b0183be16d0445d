#include "experiments/evaluation/compare_runs.h"

#include <algorithm>

#include <fmt/format.h>

#include "experiments/data/parallel_text.h"
#include "experiments/evaluation/metric.h"
#include "experiments/run_folder/configuration.h"
#include "sacrebleu/bootstrap.h"
#include "sacrebleu/random.h"
#include "support/error.h"

namespace attnlab::evaluation {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;
using sacrebleu::SampleScore;

constexpr int kIntervalSamples = 1000;

void check(const Lines& first, const Lines& second, const Lines& references, const ComparisonOptions& options) {
  if (first.size() != references.size() || second.size() != references.size()) {
    throw Error(fmt::format("{} and {} translations, but {} references; they must be as many", first.size(),
                            second.size(), references.size()));
  }
  if (references.empty()) throw Error("There are no translations to compare");
  if (options.samples != 0 && options.samples < 2) {
    throw Error(fmt::format("samples must be 2 or more, but it is {}", options.samples));
  }
  if (options.seed == 0) throw Error("seed must be 1 or more: sacreBLEU takes 0 for no seed");
}

/// The interval of the difference of two systems over the same resamples.
sacrebleu::Interval difference_interval(const sacrebleu::Metric& metric, const sacrebleu::Statistics& first,
                                        const sacrebleu::Statistics& second, int samples,
                                        const ComparisonOptions& options) {
  const sacrebleu::SingleStatistics own(first), other(second);
  std::vector<SampleScore> own_scores(static_cast<std::size_t>(samples)), differences(own_scores.size());
  sacrebleu::Pcg64 generator(std::to_string(options.seed));
  sacrebleu::draw_resamples(generator, own_scores.size(), first.rows, [&](std::size_t block, const auto& rows) {
    const auto score = [&](const auto& statistics, auto& scores) {
      score_resamples(metric, statistics, block, rows, first.rows, sacrebleu::NumpyRules::numpy2, options.threads,
                      scores);
    };
    score(own, own_scores);
    score(other, differences);
  });
  for (std::size_t i = 0; i < differences.size(); ++i) {
    differences[i].value -= own_scores[i].value;
    differences[i].single = false;
  }
  return sacrebleu::numpy_interval(differences);
}

RunComparison compare(const Lines& first, const Lines& second, const Lines& references,
                      const spec::EvaluationConfig& config, const ComparisonOptions& options) {
  const auto metric = make_metric(options.metric, config);
  const std::vector<Lines> streams{references};
  sacrebleu::PairedOptions paired;
  paired.test = options.test;
  paired.samples = options.samples;
  paired.seed = std::to_string(options.seed);
  paired.threads = options.threads;
  const bool bootstrap = options.test == sacrebleu::PairedTest::bootstrap;
  if (!bootstrap) paired.confidence_samples = kIntervalSamples;
  const auto column = paired_test({{"first", &first}, {"second", &second}}, {metric.get()}, streams, paired).front();

  sacrebleu::CorpusOptions corpus;
  corpus.threads = options.threads;
  const auto own = metric->statistics(first, streams, corpus), other = metric->statistics(second, streams, corpus);
  RunComparison result;
  result.metric = column.name;
  result.signature = column.signature.format();
  result.samples = paired_samples(paired);
  result.lines = references.size();
  for (std::size_t i = 0; i < first.size(); ++i) result.differing_lines += first[i] != second[i] ? 1 : 0;
  result.first = {column.results[0].score, *column.results[0].interval};
  result.second = {column.results[1].score, *column.results[1].interval};
  result.difference = {
      result.second.score - result.first.score,
      difference_interval(*metric, own, other, bootstrap ? result.samples : kIntervalSamples, options)};
  result.p_value = own.values == other.values ? 1.0 : *column.results[1].p_value;
  return result;
}

Lines read_lines(const fs::path& path, const std::string& what, data::BadUtf8 policy) {
  return data::split_lines(data::read_text(path, what), policy, path.string());
}

struct Run {
  spec::EvaluationConfig config;
  Lines translations, references;
};

Run read_run(const fs::path& folder, const fs::path& references) {
  const fs::path own = folder / "references.txt";
  if (!fs::exists(folder / "translations.txt")) {
    throw Error(
        fmt::format("{} holds no completed run: it has no translations.txt (the runs of a sweep lie under its "
                    "runs/ folder, one folder a seed)",
                    folder.string()));
  }
  if (references.empty() && !fs::exists(own)) {
    throw Error(
        fmt::format("{} is missing: an older version made this run; name the test set's target side with "
                    "--references FILE",
                    own.string()));
  }
  return {run_folder::read_configuration(folder).evaluation,
          read_lines(folder / "translations.txt", "the translations of the run", data::BadUtf8::replace),
          references.empty() ? read_lines(own, "the references of the run", data::BadUtf8::replace)
                             : read_lines(references, "the references", data::BadUtf8::refuse)};
}

}  // namespace

RunComparison compare_translations(const Lines& first, const Lines& second, const Lines& references,
                                   const spec::EvaluationConfig& config, const ComparisonOptions& options) {
  check(first, second, references, options);
  try {
    return compare(first, second, references, config, options);
  } catch (const sacrebleu::Error& error) {
    throw Error(fmt::format("The translations cannot be compared: {}", error.what()));
  }
}

RunComparison compare_runs(const fs::path& first, const fs::path& second, const ComparisonOptions& options,
                           const fs::path& references) {
  const Run a = read_run(first, references), b = read_run(second, references);
  if (a.references != b.references) {
    throw Error(
        fmt::format("{} and {} were tested on different references: only translations of the same test set "
                    "can be compared",
                    first.string(), second.string()));
  }
  if (a.config.lowercase != b.config.lowercase || a.config.bleu_tokenize != b.config.bleu_tokenize) {
    throw Error(
        fmt::format("{} and {} differ in evaluation.lowercase or evaluation.bleu_tokenize: their scores cannot "
                    "be compared",
                    first.string(), second.string()));
  }
  return compare_translations(a.translations, b.translations, a.references, a.config, options);
}

}  // namespace attnlab::evaluation
