// The table as Markdown.

#include <algorithm>
#include <vector>

#include "experiments/results/table.h"

namespace attnlab::results {
namespace {

/// Characters (code points), which is columns for everything that stands in the table.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char byte) { return (byte & 0xC0) != 0x80; }));
}

/// A bar would end the cell, a line break the row.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|')
      result += "\\|";
    else if (c == '\n' || c == '\r')
      result += ' ';
    else
      result += c;
  }
  return result;
}

std::string padded(const std::string& text, size_t width, Align align) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return align == Align::left ? text + space : space + text;
}

std::vector<std::string> cells_of(const TableRow& row) {
  std::vector<std::string> cells;
  for (size_t i = 0; i < row.texts.size(); ++i) {
    const auto text = escaped(row.texts[i]);
    cells.push_back(row.bold == static_cast<int>(i) ? "**" + text + "**" : text);
  }
  return cells;
}

std::string line_of(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                    const std::vector<Column>& columns) {
  std::string line = "|";
  for (size_t i = 0; i < cells.size(); ++i) line += " " + padded(cells[i], widths[i], columns[i].align) + " |";
  return line + "\n";
}

std::string rule_of(const std::vector<size_t>& widths, const std::vector<Column>& columns) {
  std::string line = "|";
  for (size_t i = 0; i < widths.size(); ++i)
    line += std::string(widths[i] + 1, '-') + (columns[i].align == Align::right ? ":|" : "-|");
  return line + "\n";
}

}  // namespace

std::string render_markdown(const TableLayout& layout) {
  std::vector<std::vector<std::string>> lines(1);
  for (const auto& column : layout.columns) lines[0].push_back(escaped(column.header));
  for (const auto& row : layout.rows) lines.push_back(cells_of(row));
  std::vector<size_t> widths(layout.columns.size(), 3);
  for (const auto& line : lines)
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));

  std::string text = "# " + escaped(layout.title) + "\n\n" + line_of(lines[0], widths, layout.columns) +
                     rule_of(widths, layout.columns);
  for (size_t i = 1; i < lines.size(); ++i) text += line_of(lines[i], widths, layout.columns);
  text += "\n";
  for (const auto* sentences : {&layout.legend, &layout.conventions})
    for (const auto& sentence : *sentences) text += "- " + sentence + "\n";
  return text;
}

}  // namespace attnlab::results
