#pragma once
/// Sweeps as they may come: an ordinary one with failures, one run, names that break careless pages, and many runs.

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tests/experiments/results/sweep_on_disk.h"

namespace attnlab::results {

/// A log of 400 steps with 8 validations whose losses fall towards `end`; cut at `last`.
inline std::string falling_log(double end, int seed, int last = 400) {
  std::string log;
  for (int step = 1; step <= last; ++step) {
    const double loss = end + 6 * std::exp(-step / 60.0) + 0.05 * std::sin(step * (seed + 1.7));
    log += fmt::format(
        "{{\"step\":{0},\"steps\":400,\"epoch\":1,\"loss\":{1:.5f},\"learning_rate\":0.001,\"target_tokens\":900,"
        "\"tokens_per_second\":30000.0}}\n",
        step, loss);
    if (step % 50 == 0)
      log += fmt::format("{{\"step\":{},\"steps\":400,\"valid_loss\":{:.5f},\"valid_perplexity\":2.0}}\n", step,
                         loss + 0.1);
  }
  return log;
}

inline run_folder::RunRecord completed_record(double bleu) {
  run_folder::RunRecord record;
  record.status = run_folder::Status::completed;
  record.started = "2026-01-02T03:04:05Z";
  record.seconds = 93;
  record.parameters = 270720;
  record.host = "machine";
  record.device = "cpu";
  record.precision = "fp32";
  record.threads = 1;
  record.versions = {{"attnlab", "0.1.0"}, {"libtorch", "2.13.0"}};
  record.metrics = {{"test.bleu", bleu}, {"test.perplexity", 1 + 10 / bleu}, {"train.tokens_per_second", 31234}};
  record.signatures = {{"test.bleu", "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"}};
  record.notes = {{"label_smoothing", "0.1 over vocab"}, {"sinusoid_layout", "interleaved"}};
  return record;
}

inline void add_run(SweepOnDisk& sweep, const Json& factors, int64_t seed, const run_folder::RunRecord& record,
                    double end, int last = 400) {
  sweep.add(factors, seed, record);
  const size_t run = sweep.manifest.runs.size() - 1;
  sweep.log(run, falling_log(end, static_cast<int>(seed), last));
  sweep.file(run, "config.json",
             R"({"seed": 1, "data": {"generator": "pronouns", "dir": ""}, "evaluation": {"lowercase": false}})");
}

/// Heads × placement × positions, seeds 1 to 3: one run failed, one diverged, one waits.
inline void fill_ordinary(SweepOnDisk& sweep) {
  sweep.manifest.name = "heads, placement and positions";
  sweep.manifest.baseline = {
      {"model.heads", 4}, {"model.norm.placement", "post"}, {"model.positions.type", "sinusoidal"}};
  for (const int heads : {1, 2, 4})
    for (const std::string placement : {"post", "pre"})
      for (const std::string positions : {"sinusoidal", "learned"})
        for (int seed = 1; seed <= 3; ++seed) {
          const Json factors = {
              {"model.heads", heads}, {"model.norm.placement", placement}, {"model.positions.type", positions}};
          const double bleu = 88 + 1.5 * std::log2(heads) - (placement == "pre" ? 1.2 : 0) * (heads == 1 ? 3 : 1) -
                              (positions == "learned" ? 2 : 0) + 0.4 * std::sin(7 * seed + heads);
          auto record = completed_record(bleu);
          const bool pre = placement == "pre" && positions == "learned";
          if (heads == 1 && pre && seed == 3) {
            record.status = run_folder::Status::failed;
            record.error = "out of memory: 12 GiB were asked for\nmake training.batch_tokens smaller";
            record.signal = 9;
            record.metrics.clear();
          } else if (heads == 2 && pre && seed == 2) {
            record.status = run_folder::Status::diverged;
            record.error = "the loss is not finite at step 121";
            record.exit_code = 1;
            record.metrics.clear();
          } else if (heads == 4 && pre && seed == 3) {
            record = {};
          }
          const bool whole = record.status == run_folder::Status::completed;
          const int last = whole ? 400 : record.status == run_folder::Status::diverged ? 120 : 0;
          add_run(sweep, factors, seed, record, 1.2 + (95 - bleu) / 20, last);
          if (!whole) continue;
          std::string translations, references;
          for (int line = 0; line < 60; ++line) {
            const bool right = (line * 37 + seed * 11) % 60 < static_cast<int>((bleu - 80) * 4);
            references += fmt::format("the cat number {} sat on the mat today\n", line);
            translations += fmt::format("the cat number {} {} on the mat today\n", line, right ? "sat" : "stood");
          }
          const size_t run = sweep.manifest.runs.size() - 1;
          sweep.file(run, "references.txt", references);
          sweep.file(run, "translations.txt", translations);
        }
  sweep.sweep_file("spec.json", R"({"name": "heads, placement and positions",
    "description": "What head count, norm placement and positions do on a small model.",
    "base": {"data": {"generator": "pronouns", "train_pairs": 6000}, "model": {"d_model": 64, "layers": 2},
             "training": {"steps": 400, "batch_tokens": 1000}},
    "seeds": 3, "set": {"training.device": "cpu"}})");
}

inline void fill_single(SweepOnDisk& sweep) {
  sweep.manifest.name = "single";
  add_run(sweep, Json::object(), 1, completed_record(33.3), 2);
}

/// Texts that would end scripts, attributes, cells and commands.
inline void fill_hostile(SweepOnDisk& sweep) {
  const std::string hostile = "</script><script>alert(1)</script>\"'<b>&amp; $(touch x) `y` \u202Eשלום | % _ \\ {x}";
  sweep.manifest.name = hostile;
  sweep.manifest.baseline = {{"variant", hostile}};
  for (const std::string& name : {hostile, std::string("مرحبا"), std::string("plain")})
    for (const int seed : {1, 2}) add_run(sweep, {{"variant", name}}, seed, completed_record(50 + seed), 2);
  auto failed = completed_record(1);
  failed.status = run_folder::Status::failed;
  failed.error = hostile + "\n\xFF second line";
  failed.host = hostile;
  failed.notes["label_smoothing"] = hostile;
  add_run(sweep, {{"variant", "broken"}}, 1, failed, 2, 0);
  sweep.sweep_file("spec.json", Json({{"description", hostile}, {"base", {{"data", {{"dir", hostile}}}}}})
                                    .dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// 256 runs: 8 × 4 × 4 cells, seeds 1 and 2.
inline void fill_large(SweepOnDisk& sweep) {
  sweep.manifest.name = "large";
  sweep.manifest.metric = "test.perplexity";
  sweep.manifest.goal = sweep::Goal::minimize;
  sweep.manifest.baseline = {{"model.heads", 1}};
  for (int heads = 1; heads <= 8; ++heads)
    for (int layers = 1; layers <= 4; ++layers)
      for (const std::string positions : {"sinusoidal", "learned", "rotary", "none"})
        for (const int seed : {1, 2})
          add_run(sweep, {{"model.heads", heads}, {"model.layers", layers}, {"model.positions.type", positions}}, seed,
                  completed_record(40 + heads + 2 * layers + (positions == "none" ? -9 : 0) + 0.3 * seed),
                  3 - 0.1 * layers + (positions == "none" ? 0.8 : 0));
}

}  // namespace attnlab::results
