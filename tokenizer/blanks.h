#pragma once
/// Blanks of a text: the one form in which training, translating and scoring see them.

#include <string>
#include <string_view>

namespace attnlab::tokenizer {

/// `text` with one space for each run of blanks and none at its ends: words between single spaces come back as they
/// are, and a second time changes nothing. Blanks are those of ASCII (space, tab, LF, VT, FF, CR) and U+2581, which
/// SentencePiece cannot tell from a space. U+00A0, U+3000, U+2028 and the like are characters like any other.
std::string with_plain_blanks(std::string_view text);

/// `text` as one line and one field of tab-separated values: a tab, LF or CR in it, which a byte piece can spell,
/// becomes a space.
std::string as_one_field(std::string text);

}  // namespace attnlab::tokenizer
