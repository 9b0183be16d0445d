#pragma once
/// A finished sweep in a temporary folder, written run by run.

#include <map>
#include <string>

#include <fmt/format.h>

#include "experiments/run_folder/record.h"
#include "experiments/sweep/manifest.h"
#include "support/files.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::results {

class SweepOnDisk {
 public:
  sweep::Manifest manifest;

  /// Adds a completed run.
  void add(const Json& factors, int64_t seed, const std::map<std::string, double>& metrics) {
    run_folder::RunRecord record;
    record.status = run_folder::Status::completed;
    record.metrics = metrics;
    add(factors, seed, record);
  }

  void add(const Json& factors, int64_t seed, run_folder::RunRecord record) {
    sweep::ManifestRun run;
    for (const auto& [path, value] : factors.items()) run.variant += (run.variant.empty() ? "" : "_") + value.dump();
    run.hash = "cafe0000";
    run.seed = record.seed = seed;
    run.folder = fmt::format("{}-{}/seed={}", run.variant, run.hash, seed);
    run.factors = factors;
    std::filesystem::create_directories(sweep::run_path(path(), run));
    run_folder::write_record(sweep::run_path(path(), run), record);
    manifest.runs.push_back(run);
  }

  /// Writes a file of the run that was added as number `run`, from 0.
  void file(size_t run, const std::string& name, const std::string& text) const {
    write_file_atomically(sweep::run_path(path(), manifest.runs[run]) / name, text);
  }
  void log(size_t run, const std::string& lines) const { file(run, "metrics.jsonl", lines); }

  /// Writes a file of the sweep.
  void sweep_file(const std::string& name, const std::string& text) const {
    write_file_atomically(path() / name, text);
  }

  /// The folder, with its manifest.
  const std::filesystem::path& write() const {
    sweep::write_manifest(path(), manifest);
    return path();
  }

 private:
  const std::filesystem::path& path() const { return folder_.path(); }

  tests::TemporaryFolder folder_;
};

/// Heads 1 and 4, placement post and pre, seeds 1 to 3, baseline 4 heads; one run ran out of memory.
inline void fill_heads_and_norm(SweepOnDisk& sweep) {
  sweep.manifest.name = "heads-and-norm";
  sweep.manifest.baseline = {{"model.heads", 4}};
  const auto add = [&](int heads, const char* placement, int64_t seed, double bleu, double perplexity) {
    run_folder::RunRecord record;
    record.status = run_folder::Status::completed;
    record.parameters = 1234567;
    record.seconds = 90;
    record.metrics = {{"test.bleu", bleu}, {"test.perplexity", perplexity}, {"train.tokens_per_second", 12000}};
    record.signatures = {{"test.bleu", "nrefs:1|case:mixed|tok:13a"}};
    record.notes = {{"label_smoothing", "0.1 over vocab"}};
    sweep.add({{"model.heads", heads}, {"model.norm.placement", placement}}, seed, record);
  };
  add(1, "post", 1, 90.0, 1.1);
  add(1, "post", 2, 91.0, 1.2);
  add(1, "post", 3, 92.0, 1.3);
  add(1, "pre", 1, 80.0, 1.5);
  add(1, "pre", 2, 82.0, 1.7);
  run_folder::RunRecord failed;
  failed.status = run_folder::Status::failed;
  failed.error = "out of memory | make it smaller\nsecond line";
  sweep.add({{"model.heads", 1}, {"model.norm.placement", "pre"}}, 3, failed);
  add(4, "post", 1, 92.0, 1.0);
  add(4, "post", 2, 92.5, 1.0);
  add(4, "post", 3, 95.0, 1.0);
  add(4, "pre", 1, 85.0, 1.25);
  add(4, "pre", 2, 86.0, 1.25);
  add(4, "pre", 3, 87.0, 1.25);
}

}  // namespace attnlab::results
