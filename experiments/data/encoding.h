#pragma once
/// Tells text of wide characters from UTF-8.

#include <string_view>

namespace attnlab::data {

/// "UTF-16LE", "UTF-16BE", "UTF-32LE" or "UTF-32BE" if `bytes` look like text of that encoding: by their byte order
/// mark, or by where the NUL bytes stand that ASCII characters and line ends have there. Empty for everything else,
/// also for UTF-8 with some NUL in it.
std::string_view wide_encoding(std::string_view bytes);

}  // namespace attnlab::data
