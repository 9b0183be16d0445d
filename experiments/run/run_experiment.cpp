#include "experiments/run/run_experiment.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <torch/version.h>
#include <unistd.h>

#include "experiments/checkpoint/trained_run.h"
#include "experiments/data/dataset.h"
#include "experiments/evaluation/evaluate.h"
#include "experiments/inspection/training_inspector.h"
#include "experiments/probes/run_probes.h"
#include "experiments/run/analyse_heads.h"
#include "experiments/run/foreign_files.h"
#include "experiments/run/metrics_observer.h"
#include "experiments/run/torch_error.h"
#include "experiments/run_folder/configuration.h"
#include "experiments/run_folder/lock.h"
#include "experiments/spec/difference.h"
#include "experiments/spec/read.h"
#include "experiments/spec/write.h"
#include "experiments/training/device.h"
#include "modules/norms/registry.h"
#include "modules/positions/registry.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::run {

namespace fs = std::filesystem;
using run_folder::RunRecord;
using run_folder::Status;

namespace {

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

/// Passes everything on, and writes it into the log; the model's attention into files; shows probes the model.
class LoggingObserver : public training::Observer {
 public:
  LoggingObserver(RunObserver& next, fs::path folder, inspection::TrainingInspector inspector,
                  probes::RunProbes& probes, modules::Transformer& model)
      : next_(next), log_(std::move(folder)), inspector_(std::move(inspector)), probes_(probes), model_(model) {}

  void started(int64_t first_step, int64_t last_step) override {
    log_.started(first_step, last_step);
    next_.started(first_step, last_step);
  }
  void stepped(const training::StepReport& step) override {
    log_.stepped(step);
    inspector_.stepped(model_, step.step);
    probes_.stepped(model_, step.step);
    next_.stepped(step);
  }
  void validated(const training::ValidationReport& validation) override {
    log_.validated(validation);
    next_.validated(validation);
  }
  void warned(const std::string& message) override { next_.warned(message); }
  bool stop_requested() override { return next_.stop_requested(); }

 private:
  RunObserver& next_;
  MetricsObserver log_;
  inspection::TrainingInspector inspector_;
  probes::RunProbes& probes_;
  modules::Transformer& model_;
};

/// A folder belongs to one configuration once something has been trained there.
void claim_configuration(const spec::RunConfig& config, const fs::path& folder) {
  const fs::path file = folder / "config.json";
  if (fs::exists(file)) {
    const std::string difference = spec::first_difference(spec::read_run_config(file), config);
    const bool trained = !fs::is_empty(folder / "checkpoints");
    if (!difference.empty() && trained) {
      throw Error(fmt::format("{} holds a run with another configuration ({}, in {}); choose another --out",
                              folder.string(), difference, file.string()));
    }
    // The file may have been changed and then given as the configuration.
    if (trained) run_folder::read_configuration(folder);
    if (difference.empty()) return;
  }
  require_own_configuration(file);
  run_folder::read_record(folder);  // refuses what is no record
  fs::remove(folder / "run.json");
  write_file_atomically(file, spec::to_json(config).dump(2) + "\n");
}

/// The data and tokenizers of a folder's first start: going on with others would mix two runs.
void claim_data(const data::Dataset& dataset, const fs::path& folder, RunRecord& record) {
  for (const auto& [name, hash] :
       {std::pair("data", &dataset.corpus.content_hash), std::pair("tokenizers", &dataset.tokenizer_hash)}) {
    std::string& known = record.inputs[name];
    if (!known.empty() && known != *hash) {
      throw Error(std::string("the ") + name + " changed since this run started (\"inputs\" in " +
                  (folder / "run.json").string() + "); bring the old files back, or choose another --out");
    }
    known = *hash;
  }
}

/// A run that goes on keeps the tokenizers that its first start trained, also where this version would train others.
spec::TokenizerConfig tokenizers_of(const spec::RunConfig& config, const fs::path& folder, const RunRecord& record) {
  spec::TokenizerConfig tokenizer = config.tokenizer;
  const bool trained = tokenizer.model.empty() && tokenizer.source_model.empty() && tokenizer.target_model.empty();
  const fs::path source = folder / "source.model", target = folder / "target.model";
  if (trained && record.inputs.contains("tokenizers") && fs::exists(source) && fs::exists(target)) {
    tokenizer.source_model = source.string();
    tokenizer.target_model = target.string();
  }
  return tokenizer;
}

std::string initialisation(const modules::TransformerOptions& model) {
  const double encoder = modules::placement_scales(model, modules::Stack::encoder).initial;
  const double decoder = modules::placement_scales(model, modules::Stack::decoder).initial;
  std::string words = "Xavier uniform for each matrix on its own, embeddings N(0, 1/D), biases 0";
  if (encoder != 1 || decoder != 1) {
    words += fmt::format("; W_V, W_O and feed-forward times {:.4g} (encoder), {:.4g} (decoder)", encoder, decoder);
  }
  return words;
}

/// How sinusoids, or the turned pairs of rotary positions, are arranged in one stack; empty if it has none.
std::string layout_of(const modules::PositionOptions& positions, bool rotary) {
  static const std::map<std::string, std::string> sinusoids = {
      {"interleaved", "interleaved (section 3.5 of the paper)"},
      {"halves", "halves (sines, then cosines, of the paper's angles)"},
      {"tensor2tensor", "tensor2tensor (sines, then cosines, with exponent i/(D/2-1))"}};
  static const std::map<std::string, std::string> pairs = {{"interleaved", "interleaved (elements 2i and 2i+1)"},
                                                           {"halves", "halves (elements i and i + d_k/2)"}};
  const auto* method = modules::find_positions(positions.type);
  if (method == nullptr || method->traits.layouts.empty() || rotary != (method->name == "rotary")) return "";
  std::string text = (rotary ? pairs : sinusoids).at(positions.layout);
  if (positions.base != 10000) text += fmt::format(", base {}", positions.base);
  return text;
}

/// Both stacks' layouts in one note, empty if neither has one.
std::string layouts_of(const modules::TransformerOptions& model, bool rotary) {
  const std::string encoder = layout_of(model.encoder_positions, rotary);
  const std::string decoder = layout_of(model.decoder_positions, rotary);
  if (encoder == decoder || decoder.empty()) return encoder;
  return encoder.empty() ? decoder : fmt::format("encoder {}; decoder {}", encoder, decoder);
}

/// What a reader of the results has to know to compare them with another program's.
std::map<std::string, std::string> conventions(const spec::RunConfig& config) {
  std::map<std::string, std::string> notes = {
      {"initialisation", initialisation(config.model)},
      {"label_smoothing",
       fmt::format("{} over {}", config.training.label_smoothing, config.training.label_smoothing_rule)},
      {"perplexity", "of the unsmoothed negative log-likelihood, per piece with the end mark"}};
  for (const bool rotary : {false, true}) {
    const std::string layouts = layouts_of(config.model, rotary);
    if (!layouts.empty()) notes[rotary ? "rotary_layout" : "sinusoid_layout"] = layouts;
  }
  return notes;
}

/// The pieces of each tokenizer, which may be fewer than asked for.
std::string vocabulary_of(const data::Dataset& dataset) {
  const int32_t source = dataset.source_tokenizer.vocab_size(), target = dataset.target_tokenizer.vocab_size();
  return source == target ? fmt::format("{} pieces", source)
                          : fmt::format("source {}, target {} pieces", source, target);
}

RunRecord begin_record(const spec::RunConfig& config, const RunOptions& options) {
  RunRecord record = run_folder::read_record(options.folder).value_or(RunRecord{});
  record.status = Status::running;
  record.seed = config.seed;
  if (record.started.empty()) record.started = run_folder::now_utc();
  record.finished.clear();
  record.error.clear();
  record.exit_code.reset();
  record.signal.reset();
  record.host = host_name();
  record.precision = config.training.precision;
  if (record.threads == 0) record.threads = options.threads > 0 ? options.threads : at::get_num_threads();
  record.versions["attnlab"] = ATTNLAB_VERSION;
  record.versions["libtorch"] = TORCH_VERSION;
  record.inputs["configuration"] = run_folder::configuration_hash(config);
  auto notes = conventions(config);
  notes.merge(record.notes);  // what an earlier start alone knew
  record.notes = std::move(notes);
  return record;
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

void write_lines(const fs::path& path, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  write_file_atomically(path, text);
}

void score_test_set(const spec::RunConfig& config, const RunOptions& options, const data::Dataset& dataset,
                    modules::Transformer& model, RunObserver& observer, RunRecord& record) {
  observer.began("translating the test set");
  const int32_t bos = dataset.target_tokenizer.bos();
  const auto valid = evaluation::score_loss(model, dataset.valid, bos, config.training.batch_tokens);
  record.metrics["valid.loss"] = valid.loss;
  record.metrics["valid.perplexity"] = valid.perplexity;
  const auto test = evaluation::score_loss(model, dataset.test, bos, config.training.batch_tokens);
  record.metrics["test.loss"] = test.loss;
  record.metrics["test.perplexity"] = test.perplexity;
  record.metrics["test.accuracy"] = 100 * test.accuracy;

  const auto hypotheses = evaluation::translate(model, dataset, dataset.test, config.decoding);
  write_lines(options.folder / "translations.txt", hypotheses);
  write_lines(options.folder / "references.txt", dataset.corpus.test.target);
  const auto scores = evaluation::score_translations(hypotheses, dataset.corpus.test.target, config.evaluation);
  for (const auto& [name, value] : scores.metrics) record.metrics["test." + name] = value;
  for (const auto& [name, signature] : scores.signatures) record.signatures["test." + name] = signature;
  for (const std::string& warning : scores.warnings) observer.warned(warning);
}

void run_all(const spec::RunConfig& config, const RunOptions& options, RunObserver& observer, RunRecord& record) {
  observer.began("reading the data");
  const data::Dataset dataset =
      data::load_dataset(config.data, tokenizers_of(config, options.folder, record), options.cache);
  claim_data(dataset, options.folder, record);
  record.notes["vocabulary"] = vocabulary_of(dataset);
  if (!dataset.tokenizer_sample.empty()) record.notes["tokenizer_trained_on"] = dataset.tokenizer_sample;
  report_data(dataset, observer);
  checkpoint::save_tokenizers(options.folder, dataset.source_tokenizer, dataset.target_tokenizer);

  const torch::Device device = training::choose_device(config.training.device);
  record.device = device.str();
  modules::Transformer model(checkpoint::model_options(config, {dataset.source_tokenizer, dataset.target_tokenizer}));
  model->reset_parameters(static_cast<uint64_t>(config.seed));
  model->to(device);
  record.parameters = modules::parameter_count(model->options());
  run_folder::write_record(options.folder, record);

  observer.began("training");
  probes::RunProbes probes(config, dataset, options.folder / "probes");
  probes.begin(model);
  LoggingObserver logging(observer, options.folder, {config.inspection, options.folder / "attention", dataset}, probes,
                          model);
  const auto result = training::train(config, dataset, model, options.folder / "checkpoints", logging);
  record.metrics["train.steps"] = static_cast<double>(result.steps);
  record.metrics["train.seconds"] = result.train_seconds;
  record.metrics["train.target_tokens"] = static_cast<double>(result.target_tokens);
  if (result.train_seconds > 0) {
    record.metrics["train.tokens_per_second"] = static_cast<double>(result.target_tokens) / result.train_seconds;
  }
  record.error = result.reason;
  if (result.outcome == training::Outcome::interrupted) {
    record.status = Status::interrupted;
  } else if (result.outcome == training::Outcome::diverged) {
    record.status = Status::diverged;
    record.metrics.merge(probes.finish(model, /*trained=*/false));
  } else {
    score_test_set(config, options, dataset, model, observer, record);
    if (config.inspection.analyse) {
      observer.began("analysing the heads");
      record.metrics.merge(analyse_heads(config, dataset, model, options.folder / "attention"));
    }
    if (!probes.empty()) {
      observer.began("probing");
      record.metrics.merge(probes.finish(model, /*trained=*/true));
    }
    record.status = Status::completed;
  }
}

}  // namespace

RunRecord run_experiment(const spec::RunConfig& config, const RunOptions& options, RunObserver& observer) {
  require_free_or_begun(options.folder);
  make_folder(options.folder / "checkpoints");
  const run_folder::FolderLock lock(options.folder);
  claim_configuration(config, options.folder);
  RunRecord record = begin_record(config, options);
  if (const auto previous = run_folder::read_record(options.folder);
      previous && (previous->status == Status::completed || previous->status == Status::diverged)) {
    return *previous;
  }
  if (options.threads > 0 && options.threads != record.threads) {
    observer.warned(fmt::format("the run was begun with {} threads and keeps them, so that it ends as it would have",
                                record.threads));
  }
  at::set_num_threads(record.threads);
  run_folder::write_record(options.folder, record);

  const auto start = std::chrono::steady_clock::now();
  const auto finish = [&] {
    record.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    record.finished = run_folder::now_utc();
    run_folder::write_record(options.folder, record);
  };
  const auto fail = [&](const std::string& message) {
    record.status = Status::failed;
    record.error = message;
    finish();
    throw Error(message);
  };
  try {
    run_all(config, options, observer, record);
  } catch (const Error& error) {
    fail(error.what());
  } catch (const c10::Error& error) {
    fail(describe(error));
  } catch (const std::bad_alloc&) {
    fail("out of memory: make training.batch_tokens, the model or the number of jobs smaller");
  } catch (const fs::filesystem_error& error) {
    fail(attnlab::describe(error));
  } catch (const std::exception& error) {
    fail(std::string("internal error: ") + error.what());
  }
  finish();
  return record;
}

}  // namespace attnlab::run
