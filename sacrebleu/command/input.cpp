#include "sacrebleu/command/input.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <unicode/ucnv.h>
#include <zlib.h>

#include "sacrebleu/error.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

std::string read_all(std::istream& stream) {
  std::string content;
  std::vector<char> buffer(std::size_t{1} << 20U);
  do {
    stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    content.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  } while (stream);
  return content;
}

std::string read_plain(const std::string& file) {
  if (std::filesystem::is_directory(file))
    throw Error(ErrorKind::file, fmt::format("'{}' is a folder, not a text file", file));
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(ErrorKind::file, fmt::format("cannot open '{}': {}", file, std::strerror(errno)));
  return read_all(stream);
}

std::string read_gzip(const std::string& file) {
  const auto close = [](gzFile handle) { gzclose(handle); };
  const std::unique_ptr<gzFile_s, decltype(close)> handle(gzopen(file.c_str(), "rb"), close);
  if (!handle) throw Error(ErrorKind::file, fmt::format("cannot open '{}': {}", file, std::strerror(errno)));
  const auto broken = [&file](const std::string& why) {
    return Error(ErrorKind::file, fmt::format("'{}' is no complete gzip file: {}", file, why));
  };
  std::string content;
  std::vector<char> buffer(std::size_t{1} << 16U);
  while (const int got = gzread(handle.get(), buffer.data(), static_cast<unsigned>(buffer.size()))) {
    if (got < 0) {
      int code = 0;
      throw broken(gzerror(handle.get(), &code));
    }
    content.append(buffer.data(), static_cast<std::size_t>(got));
  }
  int code = Z_OK;
  const char* message = gzerror(handle.get(), &code);
  if (code != Z_OK && code != Z_STREAM_END) throw broken(message);
  if (!content.empty() && gzdirect(handle.get()) != 0) throw broken("it has no gzip header");
  return content;
}

bool is_utf8(std::string encoding) {
  for (char& c : encoding) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return encoding == "utf-8" || encoding == "utf-8-sig" || encoding == "utf8" || encoding == "u8";
}

std::size_t line_of(std::string_view content, std::size_t position) {
  return 1 + static_cast<std::size_t>(
                 std::count(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
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
      throw Error(ErrorKind::unicode,
                  fmt::format("{}, line {}: bytes that are not {}", name, line_of(text, text.size()), encoding));
    }
    append_utf8(text, static_cast<char32_t>(c));
  }
  return text;
}

std::vector<std::string> split_lines(const std::string& text, LineEnds ends) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const auto end = ends == LineEnds::universal ? text.find_first_of("\n\r", start) : text.find('\n', start);
    lines.push_back(text.substr(start, end == std::string::npos ? std::string::npos : end - start));
    if (end == std::string::npos) break;
    start = end + (text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n' ? 2 : 1);
  }
  return lines;
}

std::vector<std::string> lines_of(std::string content, const std::string& name, const std::string& encoding,
                                  LineEnds ends) {
  if (!is_utf8(encoding)) content = decode(content, name, encoding);
  if (encoding == "utf-8-sig" && content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);
  if (const std::size_t bad = invalid_utf8(content); bad != std::string_view::npos) {
    throw Error(ErrorKind::unicode,
                fmt::format("{}, line {}: byte 0x{:02x} at position {} is not UTF-8. Give the file's encoding with -e.",
                            name, line_of(content, bad), static_cast<unsigned char>(content[bad]), bad));
  }
  return split_lines(content, ends);
}

}  // namespace

std::vector<std::string> read_lines(const std::string& file, const std::string& encoding) {
  return lines_of(file.ends_with(".gz") ? read_gzip(file) : read_plain(file), file, encoding, LineEnds::newline);
}

std::vector<std::string> read_lines(std::istream& stream, const std::string& name, const std::string& encoding,
                                    LineEnds ends) {
  return lines_of(read_all(stream), name, encoding, ends);
}

}  // namespace sacrebleu
