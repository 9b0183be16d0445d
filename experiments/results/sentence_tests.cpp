#include "experiments/results/sentence_tests.h"

#include <optional>

#include <fmt/format.h>

#include "experiments/evaluation/compare_runs.h"
#include "experiments/spec/metrics.h"
#include "experiments/sweep/own_files.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/sha256.h"

namespace attnlab::results {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCacheName = "sentence_tests.json";

SentenceTest from_json(const Json& json) {
  SentenceTest test;
  test.partner_score = json.at("partner_score");
  test.score = json.at("score");
  test.low = json.at("low");
  test.high = json.at("high");
  test.p_bootstrap = json.at("p_bootstrap");
  test.p_randomisation = json.at("p_randomisation");
  test.lines = json.at("lines");
  test.differing_lines = json.at("differing_lines");
  return test;
}

/// What all tests of one report have in common.
void read_signatures(const Json& json, SentenceTests& result) {
  result.metric = json.at("metric");
  result.bootstrap_signature = json.at("bootstrap_signature");
  result.randomisation_signature = json.at("randomisation_signature");
}

bool is_whole(const Json& json) {
  try {
    SentenceTests ignored;
    from_json(json);
    read_signatures(json, ignored);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

/// The tests of earlier reports, by what they depend on. A damaged file, or entry, is as good as none.
class Cache {
 public:
  explicit Cache(fs::path out) : out_(std::move(out)) {
    try {
      if (fs::exists(out_ / kCacheName))
        known_ = read_json(out_ / kCacheName, "earlier sentence tests").value("tests", Json::object());
    } catch (const std::exception&) {
      known_ = Json::object();
    }
  }
  std::optional<Json> find(const std::string& key) {
    if (!known_.is_object() || !known_.contains(key) || !is_whole(known_[key])) return std::nullopt;
    used_[key] = known_[key];
    return known_[key];
  }
  void add(const std::string& key, const Json& entry) {
    used_[key] = entry;
    changed_ = true;
  }
  /// Keeps only what this report used.
  void save() const {
    if (!changed_) return;
    const Json json = {
        {"about", "paired tests over sentences, by the SHA-256 of what they depend on; attnlab report keeps this file"},
        {"tests", used_}};
    sweep::OwnFiles(out_).write(kCacheName, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  }

 private:
  fs::path out_;
  Json known_ = Json::object(), used_ = Json::object();
  bool changed_ = false;
};

/// The score whose sentences are compared: the main metric, or BLEU where that is none.
std::string tested_metric(const std::string& main) {
  const spec::MetricVariant* metric = spec::find_metric(main);
  return metric == nullptr || metric->score.name.empty() ? "bleu" : metric->score.name;
}

bool has_translations(const fs::path& folder) {
  return fs::exists(folder / "translations.txt") && fs::exists(folder / "references.txt");
}

std::string key_of(const fs::path& partner, const fs::path& own, const std::string& metric) {
  Sha256 digest;
  digest.update(fmt::format("1 {} {} {} {}\n", metric, kSentenceResamples, kSentenceTrials, kSentenceSeed));
  for (const fs::path& folder : {partner, own})
    for (const char* name : {"config.json", "translations.txt", "references.txt"})
      digest.update(sha256_hex(read_file(folder / name, "a file of a run")));
  return digest.hex();
}

Json compare(const fs::path& partner, const fs::path& own, const std::string& metric, int threads) {
  evaluation::ComparisonOptions options;
  options.metric = metric;
  options.samples = kSentenceResamples;
  options.seed = kSentenceSeed;
  options.threads = threads;
  const auto bootstrap = evaluation::compare_runs(partner, own, options);
  options.test = sacrebleu::PairedTest::randomisation;
  options.samples = kSentenceTrials;
  const auto randomisation = evaluation::compare_runs(partner, own, options);
  const auto& interval = bootstrap.difference.interval;
  return {{"metric", bootstrap.metric},
          {"partner_score", bootstrap.first.score},
          {"score", bootstrap.second.score},
          {"low", interval.mean - interval.half_width},
          {"high", interval.mean + interval.half_width},
          {"p_bootstrap", bootstrap.p_value},
          {"p_randomisation", randomisation.p_value},
          {"lines", bootstrap.lines},
          {"differing_lines", bootstrap.differing_lines},
          {"bootstrap_signature", bootstrap.signature},
          {"randomisation_signature", randomisation.signature}};
}

const CellRun* run_with_seed(const Cell& cell, int64_t seed) {
  for (const auto& run : cell.runs)
    if (run.seed == seed && run.record.status == run_folder::Status::completed) return &run;
  return nullptr;
}

}  // namespace

SentenceTests test_sentences(const fs::path& out, const SweepSummary& summary, int threads) {
  SentenceTests result;
  Cache cache(out);
  const auto& cells = summary.results.cells;
  const std::string metric = tested_metric(summary.results.metric);
  const auto test_pair = [&](const fs::path& partner, const fs::path& own) {
    const std::string key = key_of(partner, own, metric);
    auto entry = cache.find(key);
    if (!entry) cache.add(key, *(entry = compare(partner, own, metric, threads)));
    read_signatures(*entry, result);
    return from_json(*entry);
  };
  for (size_t i = 0; i < cells.size(); ++i) {
    const auto& comparison = summary.cells[i].comparison;
    if (comparison.kind != Comparison::Kind::delta) continue;
    for (const auto& run : cells[i].runs) {
      const CellRun* other = run_with_seed(cells[comparison.partner], run.seed);
      if (run.record.status != run_folder::Status::completed || other == nullptr) continue;
      const fs::path own = out / "runs" / run.folder, partner = out / "runs" / other->folder;
      if (!has_translations(own) || !has_translations(partner)) continue;
      try {
        SentenceTest test = test_pair(partner, own);
        test.cell = i;
        test.partner = comparison.partner;
        test.seed = run.seed;
        result.tests.push_back(test);
      } catch (const std::exception& problem) {
        result.problems.push_back(fmt::format("{}: {}", run.folder, problem.what()));
      }
    }
  }
  cache.save();
  return result;
}

}  // namespace attnlab::results
