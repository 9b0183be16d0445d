#include "sacrebleu/significance.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sacrebleu/bootstrap.h"
#include "sacrebleu/python_format.h"
#include "sacrebleu/randomisation.h"

namespace sacrebleu {
namespace {

constexpr int kBootstrapSamples = 1000;
constexpr int kTrials = 10000;

/// Bootstrap samples for intervals, 0 for none.
int confidence_samples(const PairedOptions& options) {
  if (options.test == PairedTest::bootstrap) return paired_samples(options);
  return options.confidence_samples == 0 ? kBootstrapSamples : std::max(options.confidence_samples, 0);
}

/// The seed of the tests themselves: a zero is no seed there.
Seed test_seed(const Seed& seed) {
  return seed && seed->find_first_not_of('0') == std::string::npos ? std::nullopt : seed;
}

double p_value(std::span<const double> differences, double observed) {
  const auto larger =
      std::count_if(differences.begin(), differences.end(), [observed](double d) { return d > observed; });
  return static_cast<double>(larger + 1) / static_cast<double>(differences.size() + 1);
}

/// Everything about one metric that the tests of all systems need.
struct Baseline {
  const Metric* metric;
  std::string name;
  Statistics statistics;
  double score = 0;
  std::vector<SampleScore> samples;  ///< of the seeded bootstrap
};

class Comparison {
 public:
  Comparison(const std::vector<NamedSystem>& systems, const std::vector<const Metric*>& metrics,
             const References& references, const PairedOptions& options)
      : systems_(systems), references_(references), options_(options) {
    if (systems.size() < 2)
      throw Error(ErrorKind::value, "a paired test needs a baseline and at least one other system");
    for (const Metric* metric : metrics) add_baseline(*metric);
  }

  std::vector<PairedColumn> run() {
    if (options_.threads != 1) log(fmt::format("Launching {} parallel workers.", options_.threads));
    for (std::size_t i = 1; i < systems_.size(); ++i) {
      if (options_.test == PairedTest::bootstrap) {
        bootstrap(systems_[i]);
      } else {
        randomise(systems_[i]);
      }
    }
    return std::move(columns_);
  }

 private:
  void log(const std::string& message) const {
    if (options_.log) options_.log(LogLevel::info, message);
  }

  [[nodiscard]] Statistics statistics(const Metric& metric, const NamedSystem& system) const {
    CorpusOptions options;
    options.length_mismatch = options_.length_mismatch;
    options.threads = options_.threads;
    return metric.statistics(*system.lines, references_, options);
  }

  void add_baseline(const Metric& metric) {
    log(fmt::format("Pre-computing {} statistics for {}", metric.kind(), quoted_repr(systems_.front().name)));
    Baseline baseline{&metric, "", statistics(metric, systems_.front()), 0, {}};
    const Score score = metric.score(baseline.statistics.sum(), baseline.statistics.references);
    baseline.name = score.name;
    baseline.score = score.score;
    PairedColumn column{score.name, score.signature, {{score.score, std::nullopt, std::nullopt}}};
    if (const int samples = confidence_samples(options_); samples > 0) {
      Pcg64 generator(options_.seed);
      baseline.samples = resample(metric, baseline.statistics, generator, samples);
      column.results.front().interval = numpy_interval(baseline.samples);
    }
    column.signature.set_seed(options_.seed.value_or("none"));
    column.signature.set_samples(options_.test == PairedTest::bootstrap ? "bs" : "ar", paired_samples(options_));
    if (const int samples = options_.confidence_samples; samples >= 0) {
      column.signature.set_samples("bs", samples == 0 ? kBootstrapSamples : samples);
    }
    baselines_.push_back(std::move(baseline));
    columns_.push_back(std::move(column));
  }

  [[nodiscard]] std::vector<SampleScore> resample(const Metric& metric, const Statistics& statistics, Pcg64& generator,
                                                  int samples) const {
    std::vector<SampleScore> scores(static_cast<std::size_t>(samples));
    const SingleStatistics single(statistics);
    draw_resamples(
        generator, scores.size(), statistics.rows, [&](std::size_t first, const std::vector<std::uint32_t>& rows) {
          score_resamples(metric, single, first, rows, statistics.rows, options_.numpy, options_.threads, scores);
        });
    return scores;
  }

  struct Opponent {
    Statistics statistics;
    double score = 0;
    [[nodiscard]] double difference(const Baseline& baseline) const { return std::abs(baseline.score - score); }
  };

  [[nodiscard]] Opponent opponent(const Baseline& baseline, const NamedSystem& system,
                                  const std::string& announcement) const {
    log(fmt::format("Computing {} for {} and extracting sufficient statistics", baseline.name,
                    quoted_repr(system.name)));
    Opponent result{statistics(*baseline.metric, system), 0};
    if (result.statistics.rows != baseline.statistics.rows) {
      throw Error(ErrorKind::value, fmt::format("'{}' has {} lines, but the baseline has {}", system.name,
                                                result.statistics.rows, baseline.statistics.rows));
    }
    result.score = baseline.metric->score(result.statistics.sum(), result.statistics.references).score;
    log(announcement);
    return result;
  }

  void bootstrap(const NamedSystem& system) {
    const int samples = paired_samples(options_);
    const Seed seed = test_seed(options_.seed);
    // The baseline's own samples have the same seed, so they are these samples, unless the tests are unseeded.
    const bool shared = seed.has_value();
    std::vector<Opponent> opponents;
    for (const auto& baseline : baselines_) {
      opponents.push_back(opponent(
          baseline, system, fmt::format(" > Performing paired bootstrap resampling test (# resamples: {})", samples)));
    }
    std::vector<SingleStatistics> own, other;
    for (std::size_t m = 0; m < baselines_.size(); ++m) {
      own.emplace_back(baselines_[m].statistics);
      other.emplace_back(opponents[m].statistics);
    }
    const std::vector<SampleScore> empty(static_cast<std::size_t>(samples));
    std::vector<std::vector<SampleScore>> own_scores(baselines_.size(), empty), other_scores(baselines_.size(), empty);
    const std::size_t lines = baselines_.front().statistics.rows;
    Pcg64 generator(seed);
    draw_resamples(generator, empty.size(), lines, [&](std::size_t first, const std::vector<std::uint32_t>& rows) {
      for (std::size_t m = 0; m < baselines_.size(); ++m) {
        const Metric& metric = *baselines_[m].metric;
        if (!shared)
          score_resamples(metric, own[m], first, rows, lines, options_.numpy, options_.threads, own_scores[m]);
        score_resamples(metric, other[m], first, rows, lines, options_.numpy, options_.threads, other_scores[m]);
      }
    });
    for (std::size_t m = 0; m < baselines_.size(); ++m) {
      const auto& samples_of_baseline = shared ? baselines_[m].samples : own_scores[m];
      const double p = bootstrap_p_value(samples_of_baseline, other_scores[m], opponents[m].difference(baselines_[m]));
      columns_[m].results.push_back({opponents[m].score, p, numpy_interval(other_scores[m])});
    }
  }

  /// Differences are centred on their mean, in float32 when NumPy would hold all of them so.
  static double bootstrap_p_value(const std::vector<SampleScore>& own, const std::vector<SampleScore>& other,
                                  double observed) {
    const auto is_single = [](const SampleScore& score) { return score.single; };
    const bool single =
        std::all_of(own.begin(), own.end(), is_single) && std::all_of(other.begin(), other.end(), is_single);
    std::vector<double> differences;
    for (std::size_t i = 0; i < own.size(); ++i) differences.push_back(std::abs(other[i].value - own[i].value));
    if (single) {
      for (double& difference : differences) difference = static_cast<float>(difference);
      observed = static_cast<float>(observed);
    }
    const double mean = numpy_mean(differences, single);
    for (double& difference : differences) {
      difference = single ? static_cast<float>(difference - mean) : difference - mean;
    }
    return p_value(differences, observed);
  }

  void randomise(const NamedSystem& system) {
    const auto trials = static_cast<std::size_t>(paired_samples(options_));
    const std::size_t lines = baselines_.front().statistics.rows;
    std::vector<Opponent> opponents;
    for (const auto& baseline : baselines_) {
      opponents.push_back(opponent(baseline, system,
                                   fmt::format(" > Performing approximate randomization test (# trials: {})", trials)));
      if (const int samples = confidence_samples(options_); samples > 0) {
        log(fmt::format(" > Performing bootstrap resampling for confidence interval (# resamples: {})", samples));
      }
    }
    Pcg64 generator(test_seed(options_.seed));
    std::vector<std::vector<double>> differences(baselines_.size(), std::vector<double>(trials));
    constexpr std::size_t kBlockBytes = std::size_t{1} << 25U;
    const std::size_t block = std::max<std::size_t>(1, std::min(trials, kBlockBytes / ((lines + 7) / 8)));
    TrialMasks masks(generator, block, lines);
    for (std::size_t first = 0; first < trials; first += block) {
      const std::size_t count = std::min(block, trials - first);
      masks.draw(count);
      for (std::size_t m = 0; m < baselines_.size(); ++m) {
        score_trials(*baselines_[m].metric, baselines_[m].statistics, opponents[m].statistics, masks,
                     std::span(differences[m]).subspan(first, count), options_.threads);
      }
    }
    const auto intervals = trial_intervals(opponents, generator);
    for (std::size_t m = 0; m < baselines_.size(); ++m) {
      const double p = p_value(differences[m], opponents[m].difference(baselines_[m]));
      columns_[m].results.push_back({opponents[m].score, p, intervals[m]});
    }
  }

  /// Intervals of the system, from the lines that the generator draws after the coin tosses.
  [[nodiscard]] std::vector<std::optional<Interval>> trial_intervals(const std::vector<Opponent>& opponents,
                                                                     Pcg64& generator) const {
    std::vector<std::optional<Interval>> intervals(opponents.size());
    const int samples = confidence_samples(options_);
    if (samples == 0) return intervals;
    for (std::size_t m = 0; m < opponents.size(); ++m) {
      Pcg64 same_draws = generator;
      intervals[m] = numpy_interval(resample(*baselines_[m].metric, opponents[m].statistics, same_draws, samples));
    }
    return intervals;
  }

  const std::vector<NamedSystem>& systems_;
  const References& references_;
  const PairedOptions& options_;
  std::vector<Baseline> baselines_;
  std::vector<PairedColumn> columns_;
};

}  // namespace

int paired_samples(const PairedOptions& options) {
  if (options.samples > 0) return options.samples;
  return options.test == PairedTest::bootstrap ? kBootstrapSamples : kTrials;
}

std::vector<PairedColumn> paired_test(const std::vector<NamedSystem>& systems,
                                      const std::vector<const Metric*>& metrics, const References& references,
                                      const PairedOptions& options) {
  return Comparison(systems, metrics, references, options).run();
}

}  // namespace sacrebleu
