#include "sacrebleu/command/byte_source.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "sacrebleu/error.h"

namespace sacrebleu {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18U;

Error cannot_open(const std::string& file) {
  return {ErrorKind::file, fmt::format("cannot open '{}': {}", file, std::strerror(errno))};
}

class StreamBytes : public ByteSource {
 public:
  explicit StreamBytes(std::istream& stream) : stream_(stream) {}

  bool read(std::string& text) override {
    stream_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    text.append(buffer_.data(), static_cast<std::size_t>(stream_.gcount()));
    return stream_.gcount() > 0;
  }

 private:
  std::istream& stream_;
  std::vector<char> buffer_ = std::vector<char>(kPiece);
};

class PlainFile : public ByteSource {
 public:
  explicit PlainFile(const std::string& file) {
    if (std::filesystem::is_directory(file))
      throw Error(ErrorKind::file, fmt::format("'{}' is a folder, not a text file", file));
    stream_.open(file, std::ios::binary);
    if (!stream_) throw cannot_open(file);
  }

  bool read(std::string& text) override { return bytes_.read(text); }

 private:
  std::ifstream stream_;
  StreamBytes bytes_{stream_};
};

class GzipFile : public ByteSource {
 public:
  explicit GzipFile(std::string file) : file_(std::move(file)), handle_(gzopen(file_.c_str(), "rb")) {
    if (!handle_) throw cannot_open(file_);
  }

  bool read(std::string& text) override {
    const int got = gzread(handle_.get(), buffer_.data(), static_cast<unsigned>(buffer_.size()));
    int code = Z_OK;
    const char* message = gzerror(handle_.get(), &code);
    if (got < 0 || (got == 0 && code != Z_OK && code != Z_STREAM_END)) throw broken(message);
    if (got == 0 && !empty_ && gzdirect(handle_.get()) != 0) throw broken("it has no gzip header");
    text.append(buffer_.data(), static_cast<std::size_t>(got));
    empty_ = empty_ && got == 0;
    return got > 0;
  }

 private:
  struct Close {
    void operator()(gzFile handle) const { gzclose(handle); }
  };

  [[nodiscard]] Error broken(const std::string& why) const {
    return {ErrorKind::file, fmt::format("'{}' is no complete gzip file: {}", file_, why)};
  }

  std::string file_;
  std::unique_ptr<gzFile_s, Close> handle_;
  std::vector<char> buffer_ = std::vector<char>(kPiece);
  bool empty_ = true;
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& file) {
  if (file.ends_with(".gz")) return std::make_unique<GzipFile>(file);
  return std::make_unique<PlainFile>(file);
}

std::unique_ptr<ByteSource> stream_bytes(std::istream& stream) {
  return std::make_unique<StreamBytes>(stream);
}

}  // namespace sacrebleu
