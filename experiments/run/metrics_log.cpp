#include "experiments/run/metrics_log.h"

#include <cerrno>
#include <cmath>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "support/error.h"
#include "support/files.h"
#include "support/number_text.h"
#include "support/writing.h"

namespace attnlab::run {

namespace {

using Json = nlohmann::ordered_json;

std::optional<int64_t> step_of(const Json& entry) {
  if (!entry.is_object() || !entry.contains("step") || !entry["step"].is_number_integer()) return std::nullopt;
  return entry["step"].get<int64_t>();
}

std::string lines_before(const std::filesystem::path& path, int64_t first_step) {
  std::ifstream in(path, std::ios::binary);
  std::string kept, line;
  while (std::getline(in, line)) {
    // A line that was cut by a kill does not parse and is of a step that will be done again.
    const Json entry = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (step_of(entry).value_or(first_step) < first_step) kept += line + "\n";
  }
  return kept;
}

}  // namespace

MetricsLog::MetricsLog(const std::filesystem::path& path, int64_t first_step, int64_t last_step)
    : path_(path), last_step_(last_step) {
  write_file_atomically(path, lines_before(path, first_step));
  out_.open(path, std::ios::binary | std::ios::app);
  if (!out_) throw Error("cannot write '" + path.string() + "': " + writing_problem(errno));
}

void MetricsLog::write(const training::StepReport& step) {
  Json entry;
  entry["step"] = step.step;
  entry["steps"] = last_step_;
  entry["epoch"] = step.epoch;
  entry["loss"] = finite_or_null(step.loss);
  entry["learning_rate"] = finite_or_null(step.learning_rate);
  if (step.gradient_norm > 0) entry["gradient_norm"] = finite_or_null(step.gradient_norm);
  entry["target_tokens"] = step.target_tokens;
  entry["tokens_per_second"] = finite_or_null(static_cast<double>(step.target_tokens) / step.seconds);
  line(entry.dump());
}

void MetricsLog::write(const training::ValidationReport& validation) {
  Json entry;
  entry["step"] = validation.step;
  entry["steps"] = last_step_;
  entry["valid_loss"] = finite_or_null(validation.loss);
  entry["valid_perplexity"] = json_number(validation.perplexity);
  if (!std::isnan(validation.bleu)) entry["valid_bleu"] = finite_or_null(validation.bleu);
  entry["best"] = validation.best;
  line(entry.dump());
}

void MetricsLog::line(const std::string& text) {
  errno = 0;
  out_ << text << '\n' << std::flush;
  if (!out_) throw Error("cannot write '" + path_.string() + "': " + writing_problem(errno));
}

}  // namespace attnlab::run
