#include "experiments/run/run_experiment.h"

#include <optional>

#include <fmt/format.h>

#include "experiments/checkpoint/trained_run.h"
#include "experiments/data/dataset.h"
#include "experiments/inspection/training_inspector.h"
#include "experiments/probes/run_probes.h"
#include "experiments/run/analyse_heads.h"
#include "experiments/run/begin_record.h"
#include "experiments/run/claim.h"
#include "experiments/run/failure.h"
#include "experiments/run/foreign_files.h"
#include "experiments/run/metrics_observer.h"
#include "experiments/run/observers.h"
#include "experiments/run/test_scores.h"
#include "experiments/run_folder/lock.h"
#include "experiments/training/device.h"
#include "support/clock.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::run {

namespace fs = std::filesystem;
using run_folder::RunRecord;
using run_folder::Status;

namespace {

/// The pieces of each tokenizer, which may be fewer than asked for.
std::string vocabulary_of(const data::Dataset& dataset) {
  const int32_t source = dataset.source_tokenizer.vocab_size(), target = dataset.target_tokenizer.vocab_size();
  return source == target ? fmt::format("{} pieces", source)
                          : fmt::format("source {}, target {} pieces", source, target);
}

/// "read 29000, kept 28994; dropped: 6 too long" for the training set, and every warning.
void report_data(const data::Dataset& dataset, RunObserver& observer) {
  const data::Split& train = dataset.corpus.train;
  std::string text =
      "training pairs: read " + std::to_string(train.read) + ", kept " + std::to_string(dataset.train.size());
  const char* separator = "; dropped: ";
  for (const auto& [reason, count] : train.dropped) {
    text += separator + std::to_string(count) + " " + reason;
    separator = ", ";
  }
  observer.began(text);
  for (const std::string& warning : dataset.warnings) observer.warned(warning);
}

data::Dataset read_data(const spec::RunConfig& config, const RunOptions& options, RunObserver& observer,
                        RunRecord& record) {
  observer.began("reading the data");
  const spec::TokenizerConfig tokenizer = claimed_tokenizers(config.tokenizer, options.folder, record);
  data::Dataset dataset = data::load_dataset(config.data, tokenizer, options.cache);
  claim_data(dataset, options.folder, record);
  record.notes["vocabulary"] = vocabulary_of(dataset);
  if (!dataset.tokenizer_sample.empty()) record.notes["tokenizer_trained_on"] = dataset.tokenizer_sample;
  report_data(dataset, observer);
  checkpoint::save_tokenizers(options.folder, dataset.source_tokenizer, dataset.target_tokenizer);
  return dataset;
}

modules::Transformer make_model(const spec::RunConfig& config, const data::Dataset& dataset, RunRecord& record) {
  const torch::Device device = training::choose_device(config.training.device);
  record.device = device.str();
  modules::Transformer model(checkpoint::model_options(config, {dataset.source_tokenizer, dataset.target_tokenizer}));
  model->reset_parameters(static_cast<uint64_t>(config.seed));
  model->to(device);
  record.parameters = modules::parameter_count(model->options());
  return model;
}

training::TrainingResult train(const spec::RunConfig& config, const fs::path& folder, const data::Dataset& dataset,
                               modules::Transformer& model, probes::RunProbes& probes, RunObserver& observer) {
  observer.began("training");
  probes.begin(model);
  MetricsObserver log(folder);
  ModelObserver looks(model, {config.inspection, folder / "attention", dataset}, probes);
  Observers all({&log, &looks, &observer});
  return training::train(config, dataset, model, folder / "checkpoints", all);
}

void record_training(const training::TrainingResult& result, RunRecord& record) {
  const auto tokens = static_cast<double>(result.target_tokens);
  record.metrics["train.steps"] = static_cast<double>(result.steps);
  record.metrics["train.seconds"] = result.train_seconds;
  record.metrics["train.target_tokens"] = tokens;
  if (result.train_seconds > 0) record.metrics["train.tokens_per_second"] = tokens / result.train_seconds;
  record.error = result.reason;
}

/// What is known only of a model that was trained to its end.
void judge(const spec::RunConfig& config, const fs::path& folder, const data::Dataset& dataset,
           modules::Transformer& model, probes::RunProbes& probes, RunObserver& observer, RunRecord& record) {
  observer.began("translating the test set");
  score_test_set(config, folder, dataset, model, observer, record);
  if (config.inspection.analyse) {
    observer.began("analysing the heads");
    record.metrics.merge(analyse_heads(config, dataset, model, folder / "attention"));
  }
  if (!probes.empty()) {
    observer.began("probing");
    record.metrics.merge(probes.finish(model, /*trained=*/true));
  }
}

/// From the data to the scores; `record` is filled on the way.
void carry_out(const spec::RunConfig& config, const RunOptions& options, RunObserver& observer, RunRecord& record) {
  const data::Dataset dataset = read_data(config, options, observer, record);
  modules::Transformer model = make_model(config, dataset, record);
  run_folder::write_record(options.folder, record);

  probes::RunProbes probes(config, dataset, options.folder / "probes");
  const auto result = train(config, options.folder, dataset, model, probes, observer);
  record_training(result, record);
  if (result.outcome == training::Outcome::interrupted) {
    record.status = Status::interrupted;
  } else if (result.outcome == training::Outcome::diverged) {
    record.status = Status::diverged;
    record.metrics.merge(probes.finish(model, /*trained=*/false));
  } else {
    judge(config, options.folder, dataset, model, probes, observer, record);
    record.status = Status::completed;
  }
}

/// The record of a run that is done for good.
std::optional<RunRecord> finished_record(const fs::path& folder) {
  auto record = run_folder::read_record(folder);
  const bool finished = record && (record->status == Status::completed || record->status == Status::diverged);
  return finished ? record : std::nullopt;
}

void use_threads(const RunRecord& record, const RunOptions& options, RunObserver& observer) {
  if (options.threads > 0 && options.threads != record.threads) {
    observer.warned(fmt::format("the run was begun with {} threads and keeps them, so that it ends as it would have",
                                record.threads));
  }
  at::set_num_threads(record.threads);
}

void end_record(const fs::path& folder, Clock::time_point start, RunRecord& record) {
  record.seconds += seconds_since(start);
  record.finished = run_folder::now_utc();
  run_folder::write_record(folder, record);
}

}  // namespace

RunRecord run_experiment(const spec::RunConfig& config, const RunOptions& options, RunObserver& observer) {
  require_free_or_begun(options.folder);
  make_folder(options.folder / "checkpoints");
  const run_folder::FolderLock lock(options.folder);
  claim_configuration(config, options.folder);
  if (const auto finished = finished_record(options.folder)) return *finished;
  RunRecord record = begin_record(config, options.folder, options.threads);
  use_threads(record, options, observer);
  run_folder::write_record(options.folder, record);

  const auto start = Clock::now();
  try {
    carry_out(config, options, observer, record);
  } catch (const std::exception& error) {
    record.status = Status::failed;
    record.error = describe_failure(error);
  }
  end_record(options.folder, start, record);
  if (record.status == Status::failed) throw Error(record.error);
  return record;
}

}  // namespace attnlab::run
