#pragma once
/// One run from its configuration to its scores, in a folder of its own:
/// config.json, run.json, metrics.jsonl, tokenizers, checkpoints/, translations.txt and
/// references.txt (of the test set, a sentence a line).

#include <filesystem>
#include <string>

#include "experiments/run_folder/record.h"
#include "experiments/spec/run_config.h"
#include "experiments/training/trainer.h"

namespace attnlab::run {

/// Where and with what a run is done; nothing here changes its results, except that other numbers of threads round
/// differently.
struct RunOptions {
  std::filesystem::path folder;  ///< made if it is not there
  std::filesystem::path cache;   ///< tokenizers and encoded data, shared by runs
  int threads = 0;               ///< 0 = the machine's; a run that was started before keeps its number
};

/// Hears what the training says, and which part of the run is at work.
class RunObserver : public training::Observer {
 public:
  /// `what` is a short line: "reading the data", "training", "translating the test set".
  virtual void began(const std::string& /*what*/) {}
};

/// Starts the run, or continues it, or does nothing if it is complete. The record that it returns is also in
/// `run.json`. Throws attnlab::Error after having recorded the failure there; before, if the folder holds files of
/// somebody else under the names of a run's.
run_folder::RunRecord run_experiment(const spec::RunConfig& config, const RunOptions& options, RunObserver& observer);

}  // namespace attnlab::run
