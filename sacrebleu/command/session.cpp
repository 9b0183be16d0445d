#include "sacrebleu/command/session.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <thread>

#include <fmt/format.h>

#include "sacrebleu/command/environment.h"
#include "sacrebleu/command/exit.h"
#include "sacrebleu/command/table.h"
#include "sacrebleu/significance.h"
#include "sacrebleu/ter.h"

namespace sacrebleu {

Session::Session(CommandOptions options, const CommandStreams& streams, std::size_t block_lines)
    : options_(std::move(options)),
      streams_(streams),
      folder_(sacrebleu_folder(streams.environment)),
      palette_(!options_.no_color && streams.environment("NO_COLOR").value_or("").empty()),
      block_lines_(block_lines),
      input_(streams.in, "standard input", options_.encoding, LineEnds::universal) {}

void Session::run() {
  refuse_dataset_options();
  check_options();
  check_test_sets();
  if (!options_.echo.empty()) return echo();
  if (options_.detail && options_.format == OutputFormat::json) options_.format = OutputFormat::text;
  find_references();
  if (may_stream()) {
    const auto lengths = count_references();
    if (options_.input || input_has_one_column()) return score_stream(lengths);
  }
  read_references();
  read_systems();
  name_baseline();
  check_systems();
  make_metrics([this](LogLevel level, const std::string& message) { log(level, message); });
  if (options_.sentence_level) return score_sentences();
  if (systems_.size() == 1) return score_one_system();
  score_systems();
}

void Session::log(LogLevel level, const std::string& message) const {
  if (!options_.quiet) {
    streams_.error << "sacreBLEU: " << message << '\n';
  } else if (level != LogLevel::info) {
    streams_.error << message << '\n';
  }
}

void Session::stop(const std::vector<std::string>& messages, int code) const {
  for (const auto& message : messages) log(LogLevel::warning, message);
  throw Exit{code, ""};
}

void Session::print(const std::string& text) const {
  streams_.out << (streams_.terminal || options_.no_color ? text : strip_colors(text));
}

void Session::name_baseline() {
  if (!options_.paired()) return;
  if (systems_.empty()) throw Error(ErrorKind::index, "paired tests need files behind --input (-i)");
  const bool from_files = options_.input.has_value();
  systems_.front().name = from_files ? "Baseline: " + systems_.front().name : "Baseline";
  for (std::size_t i = 1; !from_files && i < systems_.size(); ++i) systems_[i].name = fmt::format("System {}", i);
}

void Session::make_metrics(const Log& log) {
  options_.bleu.effective_order = options_.sentence_level;
  options_.bleu.tokenizers = streams_.tokenizers;
  options_.bleu.log = log;
  const auto wanted = [this](const char* name) {
    return std::find(options_.metrics.begin(), options_.metrics.end(), name) != options_.metrics.end();
  };
  std::vector<std::string> names;  // paired tests keep the order that was asked for, all else is sorted
  for (const std::string name : {"bleu", "chrf", "ter"}) {
    if (wanted(name.c_str())) names.push_back(name);
  }
  const auto place = [this](const std::string& name) {
    return std::find(options_.metrics.begin(), options_.metrics.end(), name);
  };
  if (options_.paired())
    std::sort(names.begin(), names.end(), [&](const auto& x, const auto& y) { return place(x) < place(y); });
  for (const std::string& name : names) {
    if (name == "bleu") metrics_.push_back(std::make_unique<BLEU>(options_.bleu));
    if (name == "chrf") metrics_.push_back(std::make_unique<CHRF>(options_.chrf));
    if (name == "ter") metrics_.push_back(std::make_unique<TER>(options_.ter));
  }
}

Score::Format Session::score_format() const {
  const bool json = options_.format == OutputFormat::json;
  return {options_.width, options_.score_only, json ? ScoreFormat::json : ScoreFormat::text,
          options_.short_signature && !json};
}

int Session::threads() const {
  if (options_.jobs < 0 && options_.paired())
    throw Error(ErrorKind::value,
                fmt::format("the number of jobs (-j) must be 0 or more, but it is {}", options_.jobs));
  if (options_.jobs < 0) return 1;
  constexpr int kMostThreads = 256;
  if (options_.jobs > 0) return std::min(options_.jobs, kMostThreads);
  const int half = static_cast<int>(std::thread::hardware_concurrency()) / 2;
  return std::max(1, std::min(half, static_cast<int>(systems_.size()) - 1));
}

CorpusOptions Session::corpus_options() const {
  CorpusOptions options;
  options.threads = threads();
  if (options_.confidence) options.seed = resampling_seed(streams_.environment);
  options.numpy = numpy_rules(streams_.environment);
  if (options_.confidence) options.bootstrap_samples = options_.confidence_samples;
  return options;
}

void Session::score_sentences() const {
  if (systems_.empty()) throw Error(ErrorKind::index, "-i needs a file to score");
  Score::Format format = score_format();
  format.format = ScoreFormat::text;
  format.short_signature = options_.short_signature;
  std::string text;
  std::vector<std::string> line_references(references_.size());
  for (std::size_t i = 0; i < systems_.front().lines.size(); ++i) {
    for (std::size_t k = 0; k < references_.size(); ++k) line_references[k] = references_[k][i];
    text += metrics_.front()->evaluate_sentence(systems_.front().lines[i], line_references).format(format) + '\n';
  }
  print(text);
}

void Session::score_one_system() const {
  std::vector<std::string> results;
  const References references(references_);
  const CorpusOptions options = corpus_options();
  for (const auto& metric : metrics_) {
    Score score = metric->evaluate(systems_.front().lines, references, options);
    if (score.confidence) score.signature.set_seed(seed_in_signature(streams_.environment));
    results.push_back(score.format(score_format()));
  }
  print_results(results);
}

void Session::print_results(const std::vector<std::string>& results) const {
  print(report_single(results, options_.format, palette_));
  if (options_.detail) print("No subset information found. Consider using --origlang argument.\n");
}

void Session::score_systems() const {
  info(fmt::format("Found {} systems.", systems_.size()));
  const auto columns = options_.paired() ? paired_columns() : plain_columns();
  std::vector<std::string> names;
  for (const auto& system : systems_) names.push_back(system.name);
  print(report_systems(names, columns, options_, palette_));
}

std::vector<SystemColumn> Session::plain_columns() const {
  std::vector<SystemColumn> columns(metrics_.size());
  const References references(references_);
  const CorpusOptions options = corpus_options();
  for (const auto& system : systems_) {
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      const Score score = metrics_[m]->evaluate(system.lines, references, options);
      columns[m].name = score.name;
      columns[m].signature = score.signature.format(options_.short_signature);
      columns[m].scores.push_back(score.format({options_.width, /*score_only=*/true, ScoreFormat::text, false}));
    }
  }
  return columns;
}

std::vector<SystemColumn> Session::paired_columns() const {
  std::vector<NamedSystem> systems;
  for (const auto& system : systems_) systems.push_back({system.name, &system.lines});
  std::vector<const Metric*> metrics;
  for (const auto& metric : metrics_) metrics.push_back(metric.get());
  PairedOptions options;
  options.test = options_.paired_bootstrap ? PairedTest::bootstrap : PairedTest::randomisation;
  options.samples = options_.paired_bootstrap ? options_.paired_samples : options_.paired_trials;
  options.seed = resampling_seed(streams_.environment);
  options.numpy = numpy_rules(streams_.environment);
  options.threads = threads();
  options.log = [this](LogLevel level, const std::string& message) { log(level, message); };
  std::vector<SystemColumn> columns;
  for (auto& column : paired_test(systems, metrics, References(references_), options)) {
    columns.push_back({column.name, column.signature.format(options_.short_signature), {}, std::move(column.results)});
  }
  return columns;
}

}  // namespace sacrebleu
