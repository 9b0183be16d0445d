#include "experiments/inspection/text_view.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "tokenizer/utf8.h"

namespace attnlab::inspection {

namespace {

size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xE0) return 2;
  return lead < 0xF0 ? 3 : 4;
}

uint32_t code_point(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1) return lead;
  uint32_t value = lead & (0x7Fu >> bytes.size());
  for (size_t i = 1; i < bytes.size(); ++i) value = value << 6 | (static_cast<unsigned char>(bytes[i]) & 0x3Fu);
  return value;
}

bool invisible(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 || code == 0x200B ||
         code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0xFEFF;
}

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

std::string printable(const std::string& piece) {
  const std::string text = tokenizer::with_invalid_utf8_replaced(piece);
  std::string shown;
  for (size_t i = 0; i < text.size();) {
    const size_t length = sequence_length(static_cast<unsigned char>(text[i]));
    const std::string_view bytes = std::string_view(text).substr(i, length);
    const uint32_t code = code_point(bytes);
    if (invisible(code)) {
      shown += fmt::format("⟨U+{:04X}⟩", code);
    } else {
      shown.append(bytes);
    }
    i += length;
  }
  return shown;
}

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
