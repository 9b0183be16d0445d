#pragma once
/// Rewriting rules that several tokenizers share. All of them look at ASCII characters only, so they work on UTF-8
/// bytes.

#include <string>
#include <string_view>

namespace sacrebleu {

void replace_all(std::string& text, std::string_view from, std::string_view to);

/// &quot; &amp; &lt; &gt;, one after the other in that order: "&amp;lt;" becomes "<", "&amp;quot;" becomes "&quot;".
void unescape_entities(std::string& text);

/// Puts spaces around ASCII punctuation other than ' , - and the full stop.
void space_punctuation(const std::string& text, std::string& out);
/// A full stop or comma behind anything but a digit becomes a token of its own.
void space_stop_after_nondigit(const std::string& text, std::string& out);
/// A full stop or comma before anything but a digit becomes a token of its own.
void space_stop_before_nondigit(const std::string& text, std::string& out);
/// A dash behind a digit becomes a token of its own.
void space_dash_after_digit(const std::string& text, std::string& out);

/// The four rules above in that order: the language-dependent part of mteval-v13a, for 13a and zh.
void split_western(std::string& text);

}  // namespace sacrebleu
