#include "sacrebleu/command/report.h"

#include <algorithm>

#include <fmt/format.h>

#include "sacrebleu/command/table.h"
#include "sacrebleu/error.h"
#include "sacrebleu/python_format.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

/// Colours every "(μ = 1.2 ± 3.4)".
std::string color_intervals(const std::string& line, const Palette& palette) {
  static const std::string kStart = "(μ = ", kMiddle = " ± ";
  const auto number_end = [&line](std::size_t at) {
    return std::min(line.find_first_not_of("0123456789.", at), line.size());
  };
  std::string text;
  std::size_t done = 0;
  for (std::size_t at = line.find(kStart); at != std::string::npos; at = line.find(kStart, at + 1)) {
    const std::size_t mean = at + kStart.size(), middle = number_end(mean);
    if (middle == mean || line.compare(middle, kMiddle.size(), kMiddle) != 0) continue;
    const std::size_t width = middle + kMiddle.size(), end = number_end(width);
    if (end == width || end == line.size() || line[end] != ')') continue;
    text += line.substr(done, at - done) + palette.cyan(line.substr(at, end + 1 - at));
    done = end + 1;
  }
  return text + line.substr(done);
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string json_or_null(const std::optional<double>& value) {
  return value ? json_number(*value) : "null";
}

std::string result_json(const PairedResult& result) {
  const auto part = [&result](double Interval::*member) {
    return json_or_null(result.interval ? std::optional((*result.interval).*member) : std::nullopt);
  };
  return fmt::format(
      "{{\n            \"score\": {},\n            \"p_value\": {},\n            \"mean\": {},\n            \"ci\": "
      "{}\n        }}",
      json_number(result.score), json_or_null(result.p_value), part(&Interval::mean), part(&Interval::half_width));
}

std::string systems_json(const std::vector<std::string>& systems, const std::vector<SystemColumn>& columns) {
  const auto text = [](const std::string& value) { return json_string(value, JsonText::escaped); };
  std::string all;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    all += (i == 0 ? "[\n" : ",\n") + std::string("    {\n        \"system\": ") + text(systems[i]);
    for (const auto& column : columns) {
      all += ",\n        " + text(column.name) + ": " +
             (column.results.empty() ? text(column.scores[i]) : result_json(column.results[i]));
    }
    all += "\n    }";
  }
  return all.empty() ? "[]\n" : all + "\n]\n";
}

std::string result_text(const PairedResult& result, int width, char line_break, const Palette& palette) {
  std::string text = fixed(result.score, width);
  if (result.interval)
    text += fmt::format(" ({} ± {})", fixed(result.interval->mean, width), fixed(result.interval->half_width, width));
  if (!result.p_value) return text;
  const std::string p = "(p = " + fixed(*result.p_value, 4) + ')';
  return text + line_break + (*result.p_value > 0.05 ? palette.red(p) : p + '*');
}

Table make_table(const std::vector<std::string>& systems, const std::vector<SystemColumn>& columns,
                 const CommandOptions& options, const Palette& palette) {
  const bool latex = options.format == OutputFormat::latex;
  Table table;
  table.headers.push_back(palette.cyan("System"));
  table.columns.push_back(systems);
  // Once a column has shown an interval, all later titles say so.
  bool intervals = false;
  for (const auto& column : columns) {
    auto& cells = table.columns.emplace_back(column.scores);
    for (const auto& result : column.results) {
      intervals = intervals || result.interval.has_value();
      cells.push_back(result_text(result, options.width, latex ? ' ' : '\n', palette));
    }
    table.headers.push_back(palette.cyan(column.name + (intervals ? " (μ ± 95% CI)" : "")));
  }
  if (systems.front().starts_with("Baseline:")) {
    for (auto& column : table.columns) column.front() = palette.yellow(column.front());
  }
  return table;
}

std::string lower_ascii(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string explain_paired(const std::string& baseline_name, const CommandOptions& options, const Palette& palette) {
  const bool bootstrap = options.paired_bootstrap;
  const std::string title = fmt::format(
      "Paired {} test with {} {}", bootstrap ? "bootstrap resampling" : "approximate randomization",
      bootstrap ? options.paired_samples : options.paired_trials, bootstrap ? "resampling trials" : "trials");
  const std::string rule(title.size(), '-'), baseline = palette.yellow("baseline"),
                                             null = palette.green("Null hypothesis");
  const std::string lower_null = lower_ascii(null);
  std::string text = rule + '\n' + title + '\n' + rule + '\n';
  text += fmt::format(" - Each system is pairwise compared to {}.\n", palette.yellow(baseline_name));
  text += bootstrap
              ? "   Actual system score / bootstrap estimated true mean / 95% CI are provided for each metric.\n\n"
              : "   Actual system score is provided for each metric.\n\n";
  text += fmt::format(" - {}: the system and the {} translations are essentially\n", null, baseline);
  text += fmt::format("   generated by the same underlying process. For a given system and the {},\n", baseline);
  text += "   the p-value is roughly the probability of the absolute score difference (delta)\n";
  text +=
      fmt::format("   or higher occurring due to chance, under the assumption that the {} is correct.\n\n", lower_null);
  text += fmt::format(" - Assuming a significance threshold of 0.05, the {} can be rejected\n", lower_null);
  text += "   for p-values < 0.05 (marked with \"*\"). This means that the delta is unlikely to be attributed\n";
  text += fmt::format("   to chance, hence the system is significantly \"different\" than the {}.\n", baseline);
  text += fmt::format("   Otherwise, the p-values are {}.\n\n", palette.red("highlighted in red"));
  text += fmt::format(" - NOTE: Significance does not tell whether a system is \"better\" than the {} but rather\n",
                      baseline);
  text += "   emphasizes the \"difference\" of the systems in terms of the replicability of the delta.\n\n";
  return text;
}

}  // namespace

std::string Palette::paint(const std::string& text, int code) const {
  return enabled_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

std::string report_single(std::vector<std::string> results, OutputFormat format, const Palette& palette) {
  if (format == OutputFormat::json) {
    return results.size() == 1 ? results.front() + '\n' : fmt::format("[\n{}\n]\n", fmt::join(results, ",\n"));
  }
  if (results.front().find("μ") != std::string::npos) {
    for (auto& line : results) line = color_intervals(line, palette);
  }
  if (results.size() == 1) return results.front() + '\n';
  // Lines without an equals sign go first; the others are aligned in front of it. The positions pair up with the first
  // lines, as in the original.
  std::string text;
  std::vector<std::size_t> positions;
  for (const auto& line : results) {
    const auto equals = line.find('=');
    if (equals == std::string::npos) {
      text += line + '\n';
    } else {
      positions.push_back(characters(line.substr(0, equals)) - 1);
    }
  }
  const std::size_t width = positions.empty() ? 0 : *std::max_element(positions.begin(), positions.end());
  for (std::size_t i = 0; i < positions.size(); ++i) text += std::string(width - positions[i], ' ') + results[i] + '\n';
  return text;
}

std::string report_systems(const std::vector<std::string>& systems, const std::vector<SystemColumn>& columns,
                           const CommandOptions& options, const Palette& palette) {
  if (options.format == OutputFormat::json) return systems_json(systems, columns);
  if (systems.empty()) throw Error(ErrorKind::index, "there are no systems to print: -i needs at least one file");
  const Table table = make_table(systems, columns, options, palette);
  const auto style = options.format == OutputFormat::latex ? TableStyle::latex : TableStyle::grid;
  std::string text = draw_table(table, style, options.width) + '\n';
  if (options.paired()) text += explain_paired(systems.front(), options, palette);
  text += "-----------------\nMetric signatures\n-----------------\n";
  for (const auto& column : columns) text += fmt::format(" - {:<10} {}\n", column.name, column.signature);
  return text;
}

}  // namespace sacrebleu
