#include "tokenizer/reserved.h"

#include <fmt/format.h>

namespace attnlab::tokenizer {
namespace {

struct Reserved {
  std::string_view character, name, meaning;
};

constexpr std::array<Reserved, 2> kReserved = {
    {{"\u2581", "U+2581", "it is SentencePiece's sign for a blank and is read as one"},
     {kUnknownSign, "U+2585",
      "SentencePiece keeps it for itself; it is unknown unless tokenizer.user_symbols names it"}}};

}  // namespace

void ReservedCounter::add(std::string_view line) {
  ++line_;
  for (size_t i = 0; i < kReserved.size(); ++i)
    if (line.find(kReserved[i].character) != std::string_view::npos && ++counts_[i].lines == 1)
      counts_[i].first = line_;
}

std::vector<std::string> ReservedCounter::notes() const {
  std::vector<std::string> notes;
  for (size_t i = 0; i < kReserved.size(); ++i) {
    const auto [lines, first] = counts_[i];
    if (lines == 0) continue;
    notes.push_back(fmt::format("{} in {} line{}, line {} is the first: {}", kReserved[i].name, lines,
                                lines == 1 ? "" : "s", first, kReserved[i].meaning));
  }
  return notes;
}

}  // namespace attnlab::tokenizer
