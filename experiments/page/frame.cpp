#include "experiments/page/frame.h"

#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "experiments/page/markup.h"
#include "support/sha256.h"

namespace attnlab::page {

namespace {

/// Base64 of SHA-256, as content security policies name a script.
std::string policy_hash(const std::string& text) {
  const std::string hex = sha256_hex(text);
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    int byte = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
    bytes.push_back(static_cast<char>(byte));
  }
  return base64(bytes);
}

}  // namespace

std::string joined(const char* const* parts) {
  std::string text;
  for (; *parts != nullptr; ++parts) text += *parts;
  return text;
}

std::string closed_script(const char* const* parts) {
  return "(() => {\n'use strict';\n" + joined(parts) + "})();\n";
}

std::string head(const std::string& title, const std::string& style, const std::string& script) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" data-theme=\"light\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; "
      "style-src 'sha256-{}'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
      "<style>{}</style>\n</head>\n<body>\n",
      policy_hash(script), policy_hash(style), xml_text(title), style);
}

std::string tail(const std::string& json, const std::string& script) {
  return "<script type=\"application/json\" id=\"data\">" + script_safe(json) + "</script>\n<script>" + script +
         "</script>\n</body>\n</html>\n";
}

std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (size_t j = 0; j < 4; ++j) text.push_back(i + j > bytes.size() ? '=' : kDigits[group >> (18 - 6 * j) & 63]);
  }
  return text;
}

}  // namespace attnlab::page
