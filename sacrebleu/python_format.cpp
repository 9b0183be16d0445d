#include "sacrebleu/python_format.h"

#include <cmath>

#include <fmt/format.h>

#include "sacrebleu/error.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {

std::string fixed(double value, int width) {
  if (width < 0)
    throw Error(ErrorKind::value, fmt::format("the number of decimals must be 0 or more, but it is {}", width));
  return std::isnan(value) ? "nan" : fmt::format("{:.{}f}", value, width);
}

std::string repr(double value) {
  if (std::isnan(value)) return "nan";
  std::string text = fmt::format("{}", value);
  if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string quoted_repr(const std::string& text) {
  const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string shown(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') shown += '\\';
    shown += c;
  }
  return shown + quote;
}

std::string json_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return repr(value);
}

std::string json_string(std::string_view text, JsonText mode) {
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size();) {
    if (invalid_utf8(text.substr(at, 4)) == 0) {  // a file's name may hold any byte: Python's surrogateescape
      result += fmt::format("\\udc{:02x}", static_cast<unsigned char>(text[at++]));
      continue;
    }
    const char32_t c = next_code_point(text, at);
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\r':
        result += "\\r";
        break;
      case '\t':
        result += "\\t";
        break;
      case '\f':
        result += "\\f";
        break;
      case '\b':
        result += "\\b";
        break;
      default:
        if (c < 0x20 || (mode == JsonText::escaped && c > 0x7E && c < 0x10000)) {
          result += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
        } else if (mode == JsonText::escaped && c >= 0x10000) {
          const auto rest = static_cast<std::uint32_t>(c) - 0x10000;
          result += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
        } else {
          append_utf8(result, c);
        }
    }
  }
  return result + '"';
}

}  // namespace sacrebleu
