// The table as LaTeX with booktabs.

#include <cctype>
#include <map>

#include "experiments/results/table.h"

namespace attnlab::results {
namespace {

/// Signs of ours that need mathematics, and LaTeX's own special characters.
const std::map<std::string, std::string>& replacements() {
  static const std::map<std::string, std::string> table = {{"±", "$\\pm$"},
                                                           {"Δ", "$\\Delta$"},
                                                           {"^", "\\textasciicircum{}"},
                                                           {"~", "\\textasciitilde{}"},
                                                           {"\\", "\\textbackslash{}"},
                                                           {"&", "\\&"},
                                                           {"%", "\\%"},
                                                           {"$", "\\$"},
                                                           {"#", "\\#"},
                                                           {"_", "\\_"},
                                                           {"{", "\\{"},
                                                           {"}", "\\}"},
                                                           {"<", "$<$"},
                                                           {">", "$>$"},
                                                           {"|", "$|$"},
                                                           {"\n", " "}};
  return table;
}

size_t character_bytes(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

std::string to_latex(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const std::string character = text.substr(i, character_bytes(static_cast<unsigned char>(text[i])));
    i += character.size();
    const auto found = replacements().find(character);
    const bool minus = character == "-" && i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) &&
                       (i < 2 || text[i - 2] == ' ' || text[i - 2] == '[');
    result += minus ? "$-$" : found == replacements().end() ? character : found->second;
  }
  return result;
}

std::string row_of(const TableRow& row) {
  std::string line;
  for (size_t i = 0; i < row.texts.size(); ++i) {
    const auto text = to_latex(row.texts[i]);
    // A bracket or a star after the two backslashes of the row above would be its argument.
    const bool argument = i == 0 && !text.empty() && (text[0] == '[' || text[0] == '*');
    line += (i > 0      ? " & "
             : argument ? "  {}"
                        : "  ") +
            (row.bold == static_cast<int>(i) ? "\\textbf{" + text + "}" : text);
  }
  return line + " \\\\\n";
}

}  // namespace

std::string render_latex(const TableLayout& layout) {
  std::string alignment, headers, legend;
  for (size_t i = 0; i < layout.columns.size(); ++i) {
    alignment += layout.columns[i].align == Align::right ? 'r' : 'l';
    headers += (i > 0 ? " & " : "  ") + to_latex(layout.columns[i].header);
  }
  for (const auto* sentences : {&layout.legend, &layout.conventions})
    for (const auto& sentence : *sentences)
      legend += (legend.empty() ? "" : " ") + to_latex(sentence) + (sentence.back() == '.' ? "" : ".");
  std::string text =
      "% needs \\usepackage{booktabs}; names outside Latin script need LuaLaTeX or XeLaTeX\n"
      "\\begin{table}\n\\centering\n\\small\n\\begin{tabular}{" +
      alignment + "}\n\\toprule\n";
  text += headers + " \\\\\n\\midrule\n";
  for (const auto& row : layout.rows) text += row_of(row);
  return text + "\\bottomrule\n\\end{tabular}\n\\caption{" + to_latex(layout.title) + ". " + legend +
         "}\n\\end{table}\n";
}

}  // namespace attnlab::results
