#include "sacrebleu/score.h"

#include <cstdlib>
#include <utility>
#include <vector>

#include "sacrebleu/python_format.h"

namespace sacrebleu {
namespace {

/// float(f"{value:.{width}f}") as a JSON number.
std::string rounded(double value, int width) {
  return json_number(std::strtod(fixed(value, width).c_str(), nullptr));
}

std::string interval_text(const Interval& interval, int width) {
  return "μ = " + fixed(interval.mean, width) + " ± " + fixed(interval.half_width, width);
}

/// The original prints an interval only when its mean is above zero.
bool has_interval(const Score& score) {
  return score.confidence && score.confidence->mean > 0;
}

}  // namespace

std::string Score::format(const Format& how) const {
  if (how.format == ScoreFormat::json && !how.score_only) return json(how);
  std::string number = fixed(score, how.width);
  if (has_interval(*this)) number += " (" + interval_text(*confidence, how.width) + ')';
  if (how.score_only) return number;
  const std::string text = name + '|' + signature.format(how.short_signature) + " = " + number;
  return verbose.empty() ? text : text + ' ' + verbose;
}

std::string Score::json(const Format& how) const {
  const auto text = [](const std::string& value) { return json_string(value, JsonText::utf8); };
  std::vector<std::pair<std::string, std::string>> entries = {
      {"name", text(name)},
      {"score", rounded(score, how.width)},
      {"signature", text(signature.format(how.short_signature))}};
  if (has_interval(*this)) {
    entries.emplace_back("confidence_mean", rounded(confidence->mean, how.width));
    entries.emplace_back("confidence_var", rounded(confidence->half_width, how.width));
    entries.emplace_back("confidence", text(interval_text(*confidence, how.width)));
  }
  if (!verbose.empty()) entries.emplace_back("verbose_score", text(verbose));
  for (const auto& field : signature.fields()) {
    entries.emplace_back(how.short_signature ? field.short_name : field.name, text(field.value));
  }
  std::string object = "{";
  for (const auto& [key, value] : entries) {
    object += (object.size() == 1 ? "\n " : ",\n ") + text(key) + ": " + value;
  }
  return object + "\n}";
}

}  // namespace sacrebleu
