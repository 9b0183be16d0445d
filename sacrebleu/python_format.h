#pragma once
/// Numbers and strings exactly as Python prints them.

#include <string>
#include <string_view>

namespace sacrebleu {

/// f"{value:.{width}f}". Throws Error (value) when width is negative.
std::string fixed(double value, int width);

/// repr(float): the shortest text that reads back as value, "45.0" rather than "45", "nan", "inf".
std::string repr(double value);

/// repr(str) of text without control characters: quoted with ' or, when only that avoids escapes, with ".
std::string quoted_repr(const std::string& text);

/// How JSON strings treat characters beyond ASCII (json.dumps' ensure_ascii).
enum class JsonText { utf8, escaped };

/// A quoted JSON string as json.dumps writes it.
std::string json_string(std::string_view text, JsonText mode);

/// A JSON number as json.dumps writes a float: repr, with NaN and Infinity spelt its way.
std::string json_number(double value);

}  // namespace sacrebleu
