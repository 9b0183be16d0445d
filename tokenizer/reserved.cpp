#include "tokenizer/reserved.h"

#include <array>
#include <cstddef>
#include <utility>

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

/// A note if the character is there, nothing otherwise.
std::string note_on(const Reserved& reserved, const std::vector<std::string>& lines) {
  size_t count = 0, first = 0;
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i].find(reserved.character) != std::string::npos && ++count == 1) first = i + 1;
  if (count == 0) return {};
  return fmt::format("{} in {} line{}, line {} is the first: {}", reserved.name, count, count == 1 ? "" : "s", first,
                     reserved.meaning);
}

}  // namespace

std::vector<std::string> notes_on_reserved(const std::vector<std::string>& lines) {
  std::vector<std::string> notes;
  for (const Reserved& reserved : kReserved)
    if (std::string note = note_on(reserved, lines); !note.empty()) notes.push_back(std::move(note));
  return notes;
}

}  // namespace attnlab::tokenizer
