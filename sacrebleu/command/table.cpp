#include "sacrebleu/command/table.h"

#include <algorithm>
#include <cstdlib>

#include "sacrebleu/python_format.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

constexpr std::size_t kMinPadding = 2;

std::size_t visible_width(const std::string& text) {
  const std::string plain = strip_colors(text);
  return static_cast<std::size_t>(std::count_if(plain.begin(), plain.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::string> lines_of(const std::string& cell) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (std::size_t end = cell.find('\n'); end != std::string::npos; end = cell.find('\n', start)) {
    lines.push_back(cell.substr(start, end - start));
    start = end + 1;
  }
  lines.push_back(cell.substr(start));
  return lines;
}

std::string align(const std::string& text, std::size_t width, bool right) {
  const std::size_t have = visible_width(text), missing = width > have ? width - have : 0;
  const std::size_t left = right ? missing : missing / 2;
  return std::string(left, ' ') + text + std::string(missing - left, ' ');
}

bool parses(const std::string& cell, bool& whole) {
  const std::string plain = strip_colors(cell);
  char* end = nullptr;
  const double value = std::strtod(plain.c_str(), &end);
  if (plain.empty() || *end != '\0' || plain.find_first_of("xXpP(") != std::string::npos ||
      is_space(static_cast<unsigned char>(plain[0])))
    return false;
  if (value - value != 0 && plain.find_first_not_of("+-0123456789.eE") == std::string::npos) return false;
  whole = whole && plain.find_first_not_of("+-0123456789") == std::string::npos;
  return true;
}

/// A column whose cells all read as numbers, not all of them whole, is printed with that many decimals.
void round_numbers(std::vector<std::string>& column, int decimals) {
  bool whole = true;
  for (const auto& cell : column) {
    if (!parses(cell, whole)) return;
  }
  if (whole) return;
  for (auto& cell : column) {
    const std::string plain = strip_colors(cell);
    cell.replace(cell.find(plain), plain.size(), fixed(std::strtod(plain.c_str(), nullptr), decimals));
  }
}

std::string escape_latex(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        escaped += std::string("\\") + c;
        break;
      case '^':
        escaped += "\\^{}";
        break;
      case '~':
        escaped += "\\textasciitilde{}";
        break;
      case '\\':
        escaped += "\\textbackslash{}";
        break;
      case '<':
        escaped += "\\ensuremath{<}";
        break;
      case '>':
        escaped += "\\ensuremath{>}";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

/// Aligned cells: [row][column][line], the headers being row 0.
struct Layout {
  std::vector<std::size_t> widths;
  std::vector<std::vector<std::vector<std::string>>> rows;
};

Layout lay_out(const Table& table, int decimals) {
  Layout layout;
  layout.rows.assign(1 + table.columns.front().size(), {});
  for (std::size_t c = 0; c < table.headers.size(); ++c) {
    auto column = table.columns[c];
    round_numbers(column, decimals);
    for (auto& cell : column) cell = std::string(strip(cell));
    std::size_t width = visible_width(table.headers[c]) + kMinPadding;
    for (const auto& cell : column) {
      for (const auto& line : lines_of(cell)) width = std::max(width, visible_width(line));
    }
    const bool right = c == 0;
    layout.widths.push_back(width);
    layout.rows[0].push_back({align(table.headers[c], width, right)});
    for (std::size_t r = 0; r < column.size(); ++r) {
      auto lines = lines_of(column[r]);
      for (auto& line : lines) line = align(line, width, right);
      layout.rows[r + 1].push_back(std::move(lines));
    }
  }
  return layout;
}

std::string grid_rule(const Layout& layout, const std::string& left, const std::string& fill, const std::string& middle,
                      const std::string& right) {
  std::string rule = left;
  for (std::size_t c = 0; c < layout.widths.size(); ++c) {
    if (c > 0) rule += middle;
    for (std::size_t i = 0; i < layout.widths[c] + 2; ++i) rule += fill;
  }
  return rule + right + '\n';
}

std::string grid(const Layout& layout) {
  std::string text = grid_rule(layout, "╒", "═", "╤", "╕");
  for (std::size_t r = 0; r < layout.rows.size(); ++r) {
    if (r == 1) text += grid_rule(layout, "╞", "═", "╪", "╡");
    if (r > 1) text += grid_rule(layout, "├", "─", "┼", "┤");
    std::size_t height = 0;
    for (const auto& cell : layout.rows[r]) height = std::max(height, cell.size());
    for (std::size_t line = 0; line < height; ++line) {
      for (std::size_t c = 0; c < layout.widths.size(); ++c) {
        const auto& cell = layout.rows[r][c];
        text += "│ " + (line < cell.size() ? cell[line] : std::string(layout.widths[c], ' ')) + ' ';
      }
      text += "│\n";
    }
  }
  return text + grid_rule(layout, "╘", "═", "╧", "╛");
}

std::string latex(const Layout& layout) {
  std::string text = "\\begin{tabular}{r" + std::string(layout.widths.size() - 1, 'c') + "}\n\\toprule\n";
  for (std::size_t r = 0; r < layout.rows.size(); ++r) {
    if (r == 1) text += "\\midrule\n";
    for (std::size_t c = 0; c < layout.widths.size(); ++c) {
      text += (c > 0 ? "& " : " ") + escape_latex(layout.rows[r][c].front()) + ' ';
    }
    text += "\\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace

std::string strip_colors(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b' && at + 1 < text.size() && text[at + 1] == '[') {
      at = text.find('m', at);
      if (at == std::string::npos) break;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

std::string draw_table(const Table& table, TableStyle style, int decimals) {
  const Layout layout = lay_out(table, decimals);
  return style == TableStyle::grid ? grid(layout) : latex(layout);
}

}  // namespace sacrebleu
