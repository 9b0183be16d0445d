#include "experiments/inspection/text_view.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "experiments/page/markup.h"

namespace attnlab::inspection {

namespace {

using page::printable;

/// Characters of a string, roughly its columns on a terminal.
size_t characters(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

const char* shade(double weight) {
  if (weight < 0.05) return "  ";
  if (weight < 0.2) return "░░";
  if (weight < 0.4) return "▒▒";
  return weight < 0.6 ? "▓▓" : "██";
}

}  // namespace

std::string draw_text(const torch::Tensor& weights, const Tokens& queries, const Tokens& keys,
                      const std::string& title) {
  std::vector<std::string> labels;
  size_t width = 0;
  for (const Token& token : queries) {
    labels.push_back(printable(token.piece));
    width = std::max(width, characters(labels.back()));
  }
  std::string out = title + "\n" + std::string(width + 2, ' ');
  for (size_t k = 0; k < keys.size(); ++k) out += fmt::format("{:02}", k % 100);
  out += "\n";
  for (size_t q = 0; q < queries.size(); ++q) {
    out += std::string(width - characters(labels[q]), ' ') + labels[q] + " │";
    for (size_t k = 0; k < keys.size(); ++k)
      out += shade(weights[static_cast<int64_t>(q)][static_cast<int64_t>(k)].item<double>());
    out += "│\n";
  }
  out += std::string(width + 2, ' ');
  for (size_t k = 0; k < keys.size(); ++k)
    out += fmt::format("{}{} {}", k == 0 ? "" : "  ", fmt::format("{:02}", k % 100), printable(keys[k].piece));
  return out + "\nshades: blank < 0.05 ≤ ░ < 0.2 ≤ ▒ < 0.4 ≤ ▓ < 0.6 ≤ █\n";
}

}  // namespace attnlab::inspection
