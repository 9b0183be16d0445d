#include "experiments/data/encoding.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace attnlab::data {
namespace {

using namespace std::string_view_literals;

/// UTF-32LE begins as UTF-16LE does, so it is asked for first.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kMarks = {{{"\xFF\xFE\0\0"sv, "UTF-32LE"},
                                                                                  {"\0\0\xFE\xFF"sv, "UTF-32BE"},
                                                                                  {"\xFF\xFE"sv, "UTF-16LE"},
                                                                                  {"\xFE\xFF"sv, "UTF-16BE"}}};
constexpr size_t kSample = 1 << 16;

/// NUL bytes by their place among four.
std::array<size_t, 4> count_nuls(std::string_view bytes) {
  std::array<size_t, 4> nuls{};
  for (size_t i = 0; i < bytes.size(); ++i) nuls[i % 4] += bytes[i] == '\0' ? 1 : 0;
  return nuls;
}

/// Whether each line end at `place` of its pair of bytes has a NUL as the other one, and there is one.
bool line_ends_are_pairs(std::string_view bytes, size_t place) {
  size_t ends = 0;
  for (size_t i = place; i < bytes.size(); i += 2) {
    if (bytes[i] != '\n') continue;
    const size_t other = place == 0 ? i + 1 : i - 1;
    if (other >= bytes.size() || bytes[other] != '\0') return false;
    ++ends;
  }
  return ends > 0;
}

}  // namespace

std::string_view wide_encoding(std::string_view bytes) {
  for (const auto& [mark, name] : kMarks)
    if (bytes.starts_with(mark)) return name;
  bytes = bytes.substr(0, kSample);
  const size_t fours = bytes.size() / 4;
  const auto nuls = count_nuls(bytes);
  const size_t even = nuls[0] + nuls[2], odd = nuls[1] + nuls[3];
  if (even + odd == 0) return {};
  if (fours > 0 && nuls[3] == fours && 2 * nuls[2] > fours) return "UTF-32LE";
  if (fours > 0 && nuls[0] == fours && 2 * nuls[1] > fours) return "UTF-32BE";
  const bool mostly_ascii = 4 * (even + odd) >= bytes.size();
  if (even == 0 && (mostly_ascii || line_ends_are_pairs(bytes, 0))) return "UTF-16LE";
  if (odd == 0 && (mostly_ascii || line_ends_are_pairs(bytes, 1))) return "UTF-16BE";
  return {};
}

}  // namespace attnlab::data
