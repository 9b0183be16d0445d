#include "experiments/run/run_experiment.h"

#include <algorithm>
#include <map>
#include <vector>

#include "experiments/run_folder/metrics_log.h"
#include "support/files.h"
#include "tests/experiments/training/tiny_run.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::run {
namespace {

namespace fs = std::filesystem;
using run_folder::RunRecord;
using run_folder::Status;
using tests::error_message;
using tests::mentions;

/// Remembers what is said; asks for a stop after step `stop_after`.
struct Listener : RunObserver {
  std::vector<std::string> parts, warnings;
  int64_t first_step = 0, last_step = 0, stop_after = -1;

  void began(const std::string& what) override { parts.push_back(what); }
  void started(int64_t first, int64_t) override { first_step = first; }
  void stepped(const training::StepReport& step) override { last_step = step.step; }
  void warned(const std::string& message) override { warnings.push_back(message); }
  bool stop_requested() override { return last_step == stop_after; }
};

/// A copy task for a tiny model, four steps, in a folder of its own.
struct Experiment {
  tests::TemporaryFolder place;
  spec::RunConfig config = tests::tiny_config();
  Listener listener;

  Experiment() {
    config.training.steps = 4;
    config.training.validate_every = 2;
  }
  fs::path folder(const std::string& name = "run") const { return place.path() / name; }
  RunRecord operator()(const std::string& name = "run", int threads = 1) {
    fs::create_directories(place.path() / "cache");
    return run_experiment(config, {folder(name), place.path() / "cache", threads}, listener);
  }
  std::string content(const std::string& file) const { return read_file(folder() / file, "a file of the run"); }
  std::map<int64_t, double> losses(const std::string& name = "run") const {
    std::map<int64_t, double> losses;
    run_folder::read_metrics(folder(name), [&](const run_folder::MetricsEntry& entry) {
      if (const auto loss = entry.number("loss")) CHECK(losses.emplace(entry.step, *loss).second);
    });
    return losses;
  }
};

int64_t lines_of(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

TEST_CASE("a run leaves its record, its log, its weights and its translations") {
  Experiment experiment;
  const RunRecord record = experiment();
  CHECK(record.status == Status::completed);
  CHECK(record.error.empty());
  CHECK(record.seed == 7);
  CHECK(record.threads == 1);
  CHECK(record.device == "cpu");
  CHECK(record.parameters > 0);
  CHECK(record.metrics.at("train.steps") == 4);
  CHECK(record.metrics.at("test.perplexity") == std::exp(record.metrics.at("test.loss")));
  for (const char* name : {"valid.loss", "valid.perplexity", "test.accuracy", "test.bleu", "test.exact"})
    CHECK(record.metrics.count(name) == 1);
  CHECK(mentions(record.signatures.at("test.bleu"), "tok:"));
  CHECK(record.notes.at("vocabulary") == "12 pieces");
  for (const char* name : {"configuration", "data", "tokenizers"}) CHECK(record.inputs.at(name).size() == 64);

  const RunRecord kept = run_folder::read_record(experiment.folder()).value();
  CHECK(kept.status == Status::completed);
  CHECK(kept.metrics == record.metrics);
  CHECK(kept.inputs == record.inputs);

  CHECK(experiment.losses().size() == 4);
  CHECK(lines_of(experiment.content("metrics.jsonl")) == 6);  // 4 steps, validations after 2 and 4
  CHECK(lines_of(experiment.content("translations.txt")) == 20);
  CHECK(lines_of(experiment.content("references.txt")) == 20);
  for (const char* file : {"config.json", "source.model", "target.model", "checkpoints/best.safetensors"})
    CHECK(fs::is_regular_file(experiment.folder() / file));
  CHECK_FALSE(fs::exists(experiment.folder() / "probes"));
  CHECK_FALSE(fs::exists(experiment.folder() / "attention"));
  CHECK(experiment.listener.parts == std::vector<std::string>{"reading the data", "training pairs: read 150, kept 150",
                                                              "training", "translating the test set"});
}

TEST_CASE("a run that is complete is left alone") {
  Experiment experiment;
  const RunRecord first = experiment();
  const std::string record = experiment.content("run.json"), log = experiment.content("metrics.jsonl");
  experiment.listener = {};
  const RunRecord second = experiment();
  CHECK(second.status == Status::completed);
  CHECK(second.metrics == first.metrics);
  CHECK(experiment.listener.parts.empty());
  CHECK(experiment.content("run.json") == record);
  CHECK(experiment.content("metrics.jsonl") == log);
}

TEST_CASE("a folder keeps the configuration with which something was trained") {
  Experiment experiment;
  experiment();
  const std::string record = experiment.content("run.json"), config = experiment.content("config.json");
  experiment.config.training.steps = 5;
  CHECK(mentions(error_message([&] { experiment(); }), "holds a run with another configuration",
                 "training.steps: 4 there, 5 here", "config.json", "choose another --out"));
  CHECK(experiment.content("run.json") == record);
  CHECK(experiment.content("config.json") == config);
}

TEST_CASE("a run that was interrupted goes on where it stood, with the threads of its first start") {
  Experiment experiment;
  experiment("whole");
  experiment.listener = {};
  experiment.listener.stop_after = 2;
  const RunRecord half = experiment();
  CHECK(half.status == Status::interrupted);
  CHECK(half.metrics.at("train.steps") == 2);
  CHECK(half.metrics.count("test.loss") == 0);

  experiment.listener = {};
  const RunRecord whole = experiment("run", /*threads=*/2);
  CHECK(whole.status == Status::completed);
  CHECK(whole.threads == 1);
  CHECK(whole.started == half.started);
  CHECK(whole.seconds > half.seconds);
  CHECK(experiment.listener.first_step == 3);
  REQUIRE(experiment.listener.warnings.size() == 1);
  CHECK(mentions(experiment.listener.warnings[0], "begun with 1 threads and keeps them"));
  CHECK(experiment.losses() == experiment.losses("whole"));
}

TEST_CASE("a run whose data changed is refused, and its record says why") {
  Experiment experiment;
  experiment.listener.stop_after = 2;
  RunRecord record = experiment();
  record.inputs["data"] = std::string(64, '0');
  run_folder::write_record(experiment.folder(), record);
  const std::string message = error_message([&] { experiment(); });
  CHECK(mentions(message, "the data changed since this run started", "run.json", "choose another --out"));
  const RunRecord failed = run_folder::read_record(experiment.folder()).value();
  CHECK(failed.status == Status::failed);
  CHECK(failed.error == message);
  CHECK_FALSE(failed.finished.empty());
}

TEST_CASE("a folder that holds somebody else's files is left as it is") {
  Experiment experiment;
  fs::create_directories(experiment.folder());
  experiment.place.write("run/translations.txt", "mine\n");
  CHECK(mentions(error_message([&] { experiment(); }), "cannot begin a run", "translations.txt", "move it away"));
  CHECK(std::distance(fs::directory_iterator(experiment.folder()), {}) == 1);
}

TEST_CASE("attention and probes see the model while it trains") {
  Experiment experiment;
  experiment.config.inspection.every = 2;
  experiment.config.evaluation.probes = {"gradients", "chance"};
  const RunRecord record = experiment();
  for (const char* file : {"attention/step-00000002.safetensors", "attention/step-00000004.safetensors",
                           "probes/gradients.json", "probes/chance.json"})
    CHECK(fs::is_regular_file(experiment.folder() / file));
  CHECK(record.metrics.at("chance.unigram_loss") > 1);
  CHECK(experiment.listener.parts.back() == "probing");
}

}  // namespace
}  // namespace attnlab::run
