#include <algorithm>

#include <fmt/format.h>

#include "experiments/evaluation/evaluate.h"
#include "experiments/evaluation/metric.h"
#include "support/error.h"
#include "tokenizer/blanks.h"

namespace attnlab::evaluation {
namespace {

using Lines = std::vector<std::string>;

/// Lines are compared word for word: blanks do not count.
double exact_percent(const Lines& hypotheses, const Lines& references) {
  int64_t equal = 0;
  for (size_t i = 0; i < hypotheses.size(); ++i)
    equal += tokenizer::with_plain_blanks(hypotheses[i]) == tokenizer::with_plain_blanks(references[i]) ? 1 : 0;
  return 100.0 * static_cast<double>(equal) / static_cast<double>(hypotheses.size());
}

/// Marks of subword pieces that detokenisation should have removed.
void warn_of_marks(const Lines& hypotheses, Lines& warnings) {
  for (const std::string mark : {"\u2581", "@@"}) {
    const auto lines = std::count_if(hypotheses.begin(), hypotheses.end(),
                                     [&](const std::string& line) { return line.find(mark) != std::string::npos; });
    if (lines > 0) {
      warnings.push_back(fmt::format("{} of {} translations contain the subword mark '{}': score detokenised text",
                                     lines, hypotheses.size(), mark));
    }
  }
}

/// Periods that stand alone at the end of most lines show that the text is tokenised; sacreBLEU looks for at least 100
/// of them, this for a share.
void warn_of_tokens(const Lines& hypotheses, const Lines& references, Lines& warnings) {
  const auto periods = [](const Lines& lines) {
    return std::count_if(lines.begin(), lines.end(), [](const std::string& line) { return line.ends_with(" ."); });
  };
  const auto found = periods(hypotheses);
  if (2 * static_cast<size_t>(found) > hypotheses.size() &&
      2 * static_cast<size_t>(periods(references)) <= references.size()) {
    warnings.push_back(
        fmt::format("{} of {} translations end with a period apart, the references do not: the output looks tokenised",
                    found, hypotheses.size()));
  }
}

}  // namespace

TranslationScores score_translations(const Lines& hypotheses, const Lines& references,
                                     const spec::EvaluationConfig& config) {
  if (hypotheses.size() != references.size()) {
    throw Error(
        fmt::format("{} translations and {} references; they must be as many", hypotheses.size(), references.size()));
  }
  if (hypotheses.empty()) throw Error("There are no translations to score");
  TranslationScores scores;
  const auto keep_warning = [&scores](sacrebleu::LogLevel level, const std::string& message) {
    if (level == sacrebleu::LogLevel::warning) scores.warnings.push_back(message);
  };
  try {
    for (const std::string& metric : config.metrics) {
      const sacrebleu::Score score =
          make_metric(metric, config, keep_warning)->evaluate(hypotheses, std::vector<Lines>{references});
      scores.metrics[metric] = score.score;
      scores.signatures[metric] = score.signature.format();
    }
  } catch (const sacrebleu::Error& error) {
    throw Error(fmt::format("The translations cannot be scored: {}", error.what()));
  }
  scores.metrics["exact"] = exact_percent(hypotheses, references);
  warn_of_marks(hypotheses, scores.warnings);
  warn_of_tokens(hypotheses, references, scores.warnings);
  return scores;
}

}  // namespace attnlab::evaluation
