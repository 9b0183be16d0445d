#pragma once
/// Tables as Python's tabulate draws them for the original: "fancy_grid" for text, "latex_booktabs" for LaTeX.

#include <string>
#include <vector>

namespace sacrebleu {

enum class TableStyle { grid, latex };

struct Table {
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> columns;  ///< cells may have several lines and ANSI colours
};

/// The first column is aligned to the right, the others are centred; columns of numbers are rounded to `decimals`.
std::string draw_table(const Table& table, TableStyle style, int decimals);

/// text without ANSI colour codes.
std::string strip_colors(const std::string& text);

}  // namespace sacrebleu
