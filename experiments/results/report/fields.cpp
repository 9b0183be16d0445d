#include "experiments/results/report/fields.h"

#include <fmt/format.h>

#include "experiments/page/markup.h"

namespace attnlab::results::report {
namespace {

using page::xml_text;

std::string p_text(double p) {
  return p < 0.00005 ? "< 0.0001" : fmt::format("{:.4f}", p);
}

}  // namespace

std::string signed_text(const std::string& metric, double value) {
  return (value < 0 ? "" : "+") + format_metric(metric, value);
}

std::string interval_text(const std::string& metric, double low, double high) {
  return fmt::format("[{}, {}]", signed_text(metric, low), signed_text(metric, high));
}

Field empty_field() {
  return {"–", true, "", "soft"};
}

Field count_field(size_t count) {
  return number_field(std::to_string(count), static_cast<double>(count));
}

Field interval_field(const std::string& metric, const std::optional<double>& low, const std::optional<double>& high) {
  return low ? number_field(interval_text(metric, *low, *high), *low) : empty_field();
}

Field p_field(const std::optional<double>& p) {
  return p ? number_field(p_text(*p), *p) : empty_field();
}

HtmlTable table_of(const TableLayout& layout) {
  HtmlTable table;
  for (const auto& column : layout.columns) {
    table.heads.push_back(column.header);
    table.numbers.push_back(column.align == Align::right);
  }
  for (const auto& row : layout.rows) {
    auto& fields = table.rows.emplace_back();
    for (size_t i = 0; i < row.texts.size(); ++i) {
      const bool number = table.numbers[i], sorts = i < row.numbers.size() && row.numbers[i];
      std::string html = number ? xml_text(with_minus(row.texts[i])) : isolated(row.texts[i]);
      if (static_cast<int>(i) == row.bold) html = "<b>" + html + "</b>";
      fields.push_back({html, number, sorts ? sort_key(*row.numbers[i]) : "",
                        layout.columns[i].header == "remarks" ? "remarks" : ""});
    }
  }
  return table;
}

Field cell_field(const Content& content, size_t cell) {
  return {isolated(cell_levels(content.summary.results, content.grid, cell)), false, "", "cell"};
}

}  // namespace attnlab::results::report
