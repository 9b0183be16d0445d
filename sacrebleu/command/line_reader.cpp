#include "sacrebleu/command/line_reader.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <unicode/ucnv.h>

#include "sacrebleu/error.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

bool is_utf8(std::string encoding) {
  for (char& c : encoding) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return encoding == "utf-8" || encoding == "utf-8-sig" || encoding == "utf8" || encoding == "u8";
}

/// Strictly converts from any encoding that ICU knows.
std::string decode(const std::string& content, const std::string& name, const std::string& encoding) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(ucnv_open(encoding.c_str(), &status), &ucnv_close);
  if (U_FAILURE(status)) throw Error(ErrorKind::value, fmt::format("unknown encoding: {}", encoding));
  ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  std::string text;
  const char* source = content.data();
  const char* end = source + content.size();
  while (source < end) {
    const UChar32 c = ucnv_getNextUChar(converter.get(), &source, end, &status);
    if (status == U_INDEX_OUTOFBOUNDS_ERROR) break;
    if (U_FAILURE(status)) {
      throw Error(ErrorKind::unicode, fmt::format("{}, line {}: bytes that are not {}", name,
                                                  1 + std::count(text.begin(), text.end(), '\n'), encoding));
    }
    append_utf8(text, static_cast<char32_t>(c));
  }
  return text;
}

std::size_t find_newline(std::string_view text, std::size_t from) {
  return std::min(text.find('\n', from), text.size());
}

/// string_view::find_first_of looks each character up in a list, which is slow.
std::size_t find_universal(std::string_view text, std::size_t from) {
  const auto found = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(),
                                  [](char c) { return c == '\n' || c == '\r'; });
  return static_cast<std::size_t>(found - text.begin());
}

}  // namespace

LineReader::LineReader(const std::string& file, std::string encoding)
    : source_(open_bytes(file)), name_(file), encoding_(std::move(encoding)), ends_(LineEnds::newline) {}

LineReader::LineReader(std::istream& stream, std::string name, std::string encoding, LineEnds ends)
    : source_(stream_bytes(stream)), name_(std::move(name)), encoding_(std::move(encoding)), ends_(ends) {}

bool LineReader::next(std::string_view& line) {
  if (!peek(line)) return false;
  at_ = end_;
  if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
  if (text_[at_] == '\n') ++line_ends_;
  at_ = std::min(at_ + 1, text_.size());
  return true;
}

bool LineReader::peek(std::string_view& line) {
  if (!started_) start();
  end_ = line_end();
  if (at_ == text_.size()) return false;
  line = std::string_view(text_).substr(at_, end_ - at_);
  if (const std::size_t bad = invalid_utf8(line); bad != std::string_view::npos) refuse_byte(at_ + bad);
  return true;
}

void LineReader::start() {
  started_ = true;
  if (!is_utf8(encoding_)) {
    while (!ended_) fill();
    text_ = decode(text_, name_, encoding_);
  }
  if (encoding_ != "utf-8-sig") return;
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  while (!ended_ && text_.size() < kMark.size()) fill();
  if (text_.starts_with(kMark)) text_.erase(0, kMark.size());
}

/// Where the line that begins at at_ ends: at its end character, or at the end of the text.
std::size_t LineReader::line_end() {
  for (std::size_t from = at_;;) {
    const std::size_t end = ends_ == LineEnds::newline ? find_newline(text_, from) : find_universal(text_, from);
    // A \r that was read last may be the first half of an end.
    if (ended_ || end + 1 < text_.size() || (end < text_.size() && text_[end] == '\n')) return end;
    from = end - fill();
  }
}

/// Reads on, and drops what has been given: returns its length.
std::size_t LineReader::fill() {
  const std::size_t given = at_;
  text_.erase(0, given);
  position_ += given;
  at_ = 0;
  ended_ = !source_->read(text_);
  return given;
}

void LineReader::refuse_byte(std::size_t at) {
  const Error error(
      ErrorKind::unicode,
      fmt::format("{}, line {}: byte 0x{:02x} at position {} is not UTF-8. Give the file's encoding with -e.", name_,
                  line_ends_ + 1, static_cast<unsigned char>(text_[at]), position_ + at));
  for (std::string rest; source_->read(rest);) rest.clear();  // a file that cannot be unpacked is the graver fault
  throw error;
}

}  // namespace sacrebleu
