#include "experiments/data/line_stream.h"

#include <utility>

namespace attnlab::data {
namespace {

constexpr size_t kPiece = 1 << 18;  // bytes read at once; gzip makes a MiB of them

}  // namespace

TextReader::TextReader(const std::filesystem::path& path, std::string_view key)
    : file_(path, key), unpacker_(path, std::string(key)), block_(kPiece) {}

bool TextReader::more(std::string& text) {
  const size_t before = text.size();
  while (text.size() == before && !ended_) {
    const size_t size = file_.read(block_.data(), block_.size());
    ended_ = size < block_.size();
    unpacker_.add({block_.data(), size}, text);
    if (ended_) unpacker_.finish(text);
  }
  return text.size() > before;
}

LineStream::LineStream(const std::filesystem::path& path, std::string_view key, BadUtf8 policy)
    : name_(path.string()), policy_(policy), reader_(path, key) {
  ahead_ = std::async(std::launch::async, [this] { return read_block(); });
}

/// Empty at the end.
std::vector<std::string> LineStream::read_block() {
  std::string text = std::move(rest_);
  rest_.clear();
  size_t end = std::string::npos;
  bool any = true;
  while (end == std::string::npos && any) {
    const size_t seen = text.size();
    any = reader_.more(text);
    end = std::string_view(text).substr(seen).rfind('\n');
    if (end != std::string::npos) end += seen + 1;
  }
  // Before the last line is cut off, which may cut a wide character.
  if (lines_read_ == 0) refuse_wide_encoding(text, name_);
  if (any) {
    rest_ = text.substr(end);
    text.resize(end);
  }
  std::vector<std::string> lines = split_lines(text, policy_, name_, lines_read_ + 1);
  lines_read_ += lines.size();
  return lines;
}

bool LineStream::next(std::string& line) {
  if (at_ == block_.size()) {
    if (!ahead_.valid()) return false;
    block_ = ahead_.get();
    at_ = 0;
    if (block_.empty()) return false;
    ahead_ = std::async(std::launch::async, [this] { return read_block(); });
  }
  line = std::move(block_[at_++]);
  ++count_;
  return true;
}

}  // namespace attnlab::data
