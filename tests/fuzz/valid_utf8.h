#pragma once
/// Turns any bytes into valid UTF-8, so that a fuzzer's inputs reach code behind the check.

#include <string>
#include <string_view>

#include "sacrebleu/unicode.h"

namespace sacrebleu::fuzz {

inline std::string valid_utf8(std::string_view bytes) {
  std::string text(bytes);
  for (std::size_t bad = invalid_utf8(text); bad != std::string_view::npos; bad = invalid_utf8(text)) {
    // Latin-1 for what is not UTF-8 keeps many characters beyond ASCII in play.
    std::string replacement;
    append_utf8(replacement, static_cast<unsigned char>(text[bad]));
    text.replace(bad, 1, replacement);
  }
  return text;
}

}  // namespace sacrebleu::fuzz
