#include "experiments/page/markup.h"

#include <cctype>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "support/crc32c.h"
#include "tokenizer/utf8.h"

namespace attnlab::page {

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
         code == 0xFEFF || code == 0xFFFE || code == 0xFFFF;
}

bool stands_for_itself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/=,+@").find(c) != std::string_view::npos;
}

}  // namespace

std::string printable(const std::string& text) {
  const std::string valid = tokenizer::with_invalid_utf8_replaced(text);
  std::string shown;
  for (size_t i = 0; i < valid.size();) {
    const size_t length = sequence_length(static_cast<unsigned char>(valid[i]));
    const std::string_view bytes = std::string_view(valid).substr(i, length);
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

std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string script_safe(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    switch (c) {
      case '<':
        safe += "\\u003c";
        break;
      case '>':
        safe += "\\u003e";
        break;
      case '&':
        safe += "\\u0026";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string link_address(const std::string& path) {
  std::string address;
  for (const char c : path)
    address += stands_for_itself(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return address;
}

std::string file_name(const std::string& text) {
  constexpr size_t longest = 80;
  std::string name;
  for (const char c : text.substr(0, longest))
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' ? c : '_';
  return name == text ? name : fmt::format("{}-{:08x}", name, crc32c(text));
}

}  // namespace attnlab::page
