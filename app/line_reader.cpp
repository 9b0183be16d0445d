#include "app/line_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "app/say.h"
#include "experiments/data/parallel_text.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::app {

namespace {

constexpr size_t kManyBytes = size_t{16} << 20;

int open(const std::string& path, const std::string& what) {
  return path == "-" ? STDIN_FILENO : open_readable_file(path, what);
}

size_t line_ends(std::string_view text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

std::string name_of_input(const std::string& path) {
  return path == "-" ? "the standard input" : path;
}

LineReader::LineReader(const std::string& path, const std::string& what)
    : what_(what), name_(name_of_input(path)), file_(open(path, what)), unpacker_(name_, what) {}

LineReader::~LineReader() {
  if (file_ > STDIN_FILENO) ::close(file_);
}

std::vector<std::string> LineReader::next(size_t most) {
  const auto is_enough = [&] { return complete_ >= most || (complete_ > 0 && text_.size() >= kManyBytes); };
  while (!ended_ && !is_enough()) ended_ = !read_block();
  std::string text = take(most);
  if (text.empty()) {
    warn();
    return {};
  }
  look_for_bad_bytes(text);
  auto lines = data::split_lines(text, data::BadUtf8::replace, fmt::format("{}: {}", what_, name_), line_ + 1);
  for (const std::string& line : lines) reserved_.add(line);
  line_ += lines.size();
  return lines;
}

/// False at the end.
bool LineReader::read_block() {
  char block[1 << 16];
  const size_t old = text_.size();
  ssize_t count = ::read(file_, block, sizeof block);
  while (count < 0 && errno == EINTR) count = ::read(file_, block, sizeof block);
  if (count < 0) throw Error(fmt::format("{}: cannot read {}: {}", what_, name_, std::strerror(errno)));
  if (count == 0) {
    unpacker_.finish(text_);
  } else {
    unpacker_.add({block, static_cast<size_t>(count)}, text_);
  }
  complete_ += line_ends(std::string_view(text_).substr(old));
  return count > 0;
}

/// The first lines of what was read, with the last one though nothing ends it.
std::string LineReader::take(size_t lines) {
  if (ended_ && complete_ < lines) {
    complete_ = 0;
    return std::exchange(text_, {});
  }
  lines = std::min(lines, complete_);
  size_t end = 0;
  for (size_t i = 0; i < lines; ++i) end = text_.find('\n', end) + 1;
  complete_ -= lines;
  std::string taken = text_.substr(0, end);
  text_.erase(0, end);
  return taken;
}

void LineReader::look_for_bad_bytes(std::string_view text) {
  if (data::first_bad_byte(text) == std::string_view::npos) return;
  for (size_t line = line_ + 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (data::first_bad_byte(text.substr(0, end)) != std::string_view::npos && ++bad_ == 1) first_bad_ = line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Once, at the end.
void LineReader::warn() {
  if (const size_t bad = std::exchange(bad_, 0); bad > 0)
    say("attnlab: warning: {}: {}: not valid UTF-8, or NUL, in {} line{}, line {} is the first; bad bytes become "
        "U+FFFD\n",
        what_, name_, bad, bad == 1 ? "" : "s", first_bad_);
  for (const std::string& note : std::exchange(reserved_, {}).notes())
    say("attnlab: warning: {}: {}: {}\n", what_, name_, note);
}

}  // namespace attnlab::app
