#include "experiments/data/parallel_text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "experiments/data/encoding.h"
#include "experiments/data/line_stream.h"
#include "experiments/data/pair_stream.h"
#include "experiments/data/unpacker.h"
#include "support/error.h"
#include "support/files.h"
#include "support/sha256.h"
#include "tokenizer/blanks.h"
#include "tokenizer/utf8.h"

namespace attnlab::data {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// `line` with U+FFFD for each bad byte.
std::string with_bad_bytes_replaced(std::string_view line) {
  std::string text = tokenizer::with_invalid_utf8_replaced(line);
  for (size_t at = text.find('\0'); at != std::string::npos; at = text.find('\0', at)) text.replace(at, 1, "\uFFFD");
  return text;
}

[[noreturn]] void refuse_byte(std::string_view line, size_t at, std::string_view name, size_t number) {
  const auto byte = static_cast<unsigned char>(line[at]);
  throw Error(fmt::format(
      "{}:{}: {} at byte {} of the line (0x{:02X}); {}, or for the data of a run set data.bad_utf8 to replace", name,
      number, byte == 0 ? "a NUL, which no text has," : "not valid UTF-8", at + 1, byte,
      byte == 0 ? "remove it" : "convert the file, e.g. with iconv"));
}

bool is_there(const fs::path& path) {
  // symlink_status: a dangling link is there, and reading it says what is wrong with it.
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

std::string digest_of_text(const fs::path& path, std::string_view key) {
  TextReader reader(path, key);
  Sha256 digest;
  for (std::string piece; reader.more(piece); piece.clear()) digest.update(piece);
  return digest.hex();
}

/// Of a text that lies there twice, neither may be taken unless they are the same.
void refuse_difference(const fs::path& plain, const fs::path& packed, std::string_view key) {
  if (digest_of_text(plain, key) == digest_of_text(packed, key)) return;
  throw Error(fmt::format("{}: '{}' and '{}' are both there and differ; remove or rename the one that is not meant",
                          key, plain.string(), packed.string()));
}

}  // namespace

const std::string& stem_of(const spec::DataConfig& config, SplitName name) {
  switch (name) {
    case SplitName::train:
      return config.train;
    case SplitName::valid:
      return config.valid;
    case SplitName::test:
      break;
  }
  return config.test;
}

BadUtf8 bad_utf8_policy(std::string_view name) {
  if (name == "refuse") return BadUtf8::refuse;
  if (name == "replace") return BadUtf8::replace;
  throw Error(fmt::format("data.bad_utf8: refuse or replace was expected, '{}' was given", name));
}

size_t first_bad_byte(std::string_view text) {
  return std::min(tokenizer::first_invalid_utf8(text), text.find('\0'));
}

fs::path find_text(const std::string& dir, const std::string& stem, const std::string& language, std::string_view key) {
  if (stem.empty())
    throw Error(fmt::format("{}: the name of a file was expected (without .{}), it is empty", key, language));
  const fs::path plain = fs::path(dir) / (stem + "." + language);
  const fs::path packed = plain.string() + ".gz";
  if (is_there(plain)) {
    if (is_there(packed)) refuse_difference(plain, packed, key);
    return plain;
  }
  if (is_there(packed)) return packed;
  std::error_code ignored;
  if (fs::status(plain, ignored).type() == fs::file_type::unknown || ignored == std::errc::permission_denied)
    return plain;
  if (!dir.empty() && !fs::is_directory(dir, ignored))
    throw MissingText(
        fmt::format("data.dir: there is no folder '{}' (for {}: {})", dir, key, plain.filename().string()));
  throw MissingText(fmt::format(
      "{}: cannot read '{}': no such file, nor the same with .gz; check data.dir, the stem and the language", key,
      plain.string()));
}

std::string read_text(const fs::path& path, std::string_view key) {
  std::string bytes = read_file(path, key);
  if (!is_gzip(bytes)) return bytes;
  std::string text;
  Unpacker unpacker(path, std::string(key));
  unpacker.add(bytes, text);
  unpacker.finish(text);
  return text;
}

bool is_blank(std::string_view line) {
  return tokenizer::with_plain_blanks(line).empty();
}

void refuse_wide_encoding(std::string_view text, std::string_view name) {
  const std::string_view encoding = wide_encoding(text);
  if (encoding.empty()) return;
  throw Error(fmt::format("{}:1: UTF-8 was expected, but this looks like {}; convert it: iconv -f {} -t UTF-8", name,
                          encoding, encoding));
}

std::vector<std::string> split_lines(std::string_view text, BadUtf8 policy, std::string_view name, size_t first_line) {
  if (first_line == 1) {
    refuse_wide_encoding(text, name);
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  }
  const bool all_good = first_bad_byte(text) == std::string_view::npos;
  std::vector<std::string> lines;
  lines.reserve(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const size_t bad = all_good ? std::string_view::npos : first_bad_byte(line);
    if (bad == std::string_view::npos) {
      lines.emplace_back(line);
    } else if (policy == BadUtf8::replace) {
      lines.push_back(with_bad_bytes_replaced(line));
    } else {
      refuse_byte(line, bad, name, first_line + lines.size());
    }
  }
  return lines;
}

std::vector<std::string> warnings_of(const spec::DataConfig& config, SplitName name,
                                     const std::vector<std::string>& source_notes,
                                     const std::vector<std::string>& target_notes) {
  std::vector<std::string> warnings;
  const auto add = [&](const std::string& language, const std::vector<std::string>& notes) {
    if (notes.empty()) return;
    const std::string key = fmt::format("data.{}", name_of(name));
    const fs::path path = find_text(config.dir, stem_of(config, name), language, key);
    for (const std::string& note : notes) warnings.push_back(fmt::format("{}: {}", path.string(), note));
  };
  add(config.source, source_notes);
  add(config.target, target_notes);
  return warnings;
}

Split load_parallel_text(const spec::DataConfig& config, SplitName name) {
  PairStream stream(config, name);
  Split split;
  std::string source, target;
  while (stream.next(source, target)) {
    split.source.push_back(std::move(source));
    split.target.push_back(std::move(target));
  }
  split.read = stream.read();
  if (stream.empty() > 0) split.dropped["empty"] = stream.empty();
  split.warnings = warnings_of(config, name, stream.source_notes(), stream.target_notes());
  return split;
}

}  // namespace attnlab::data
