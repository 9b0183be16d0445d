#include "app/text_input.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "app/say.h"
#include "experiments/data/parallel_text.h"
#include "support/error.h"
#include "tokenizer/reserved.h"

namespace attnlab::app {

namespace {

std::string read_standard_input(const std::string& what) {
  std::string text;
  char block[1 << 16];
  while (true) {
    const ssize_t count = ::read(STDIN_FILENO, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(fmt::format("{}: cannot read the standard input: {}", what, std::strerror(errno)));
    if (count == 0) return text;
    text.append(block, static_cast<size_t>(count));
  }
}

/// Says how many lines have bad bytes and which is the first.
void warn_of_bad_bytes(std::string_view text, const std::string& what) {
  size_t line = 0, bad = 0, first = 0;
  while (!text.empty()) {
    ++line;
    const size_t end = std::min(text.find('\n'), text.size());
    if (data::first_bad_byte(text.substr(0, end)) != std::string_view::npos && ++bad == 1) first = line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  say("attnlab: warning: {}: not valid UTF-8, or NUL, in {} line{}, line {} is the first; bad bytes become U+FFFD
",
      what, bad, bad == 1 ? "" : "s", first);
}

}  // namespace

std::vector<std::string> read_lines(const std::string& path, const std::string& what) {
  const std::string name = path == "-" ? "the standard input" : path;
  const std::string text =
      path == "-" ? data::unpacked(read_standard_input(what), name, what) : data::read_text(path, what);
  std::vector<std::string> lines = data::split_lines(text, data::BadUtf8::replace, fmt::format("{}: {}", what, name));
  if (data::first_bad_byte(text) != std::string_view::npos) warn_of_bad_bytes(text, what);
  for (const std::string& note : tokenizer::notes_on_reserved(lines))
    say("attnlab: warning: {}: {}\n", what, note);
  return lines;
}

std::vector<tokenizer::Ids> encode_lines(const tokenizer::Tokenizer& tokenizer, const std::vector<std::string>& lines,
                                         int64_t most, const std::string& what) {
  std::vector<tokenizer::Ids> result;
  result.reserve(lines.size());
  for (const std::string& line : lines) {
    tokenizer::Ids ids = tokenizer.encode(line);
    if (ids.size() > static_cast<size_t>(most)) {
      say("attnlab: warning: {}: line {}: {} pieces, cropped to data.max_pieces = {}\n", what, result.size() + 1,
          ids.size(), most);
      ids.resize(static_cast<size_t>(most));
    }
    ids.push_back(tokenizer.eos());
    result.push_back(std::move(ids));
  }
  return result;
}

}  // namespace attnlab::app
