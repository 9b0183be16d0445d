#include "experiments/data/unpacker.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "support/error.h"

namespace attnlab::data {
namespace {

constexpr std::string_view kMagic = "\x1F\x8B";
constexpr size_t kMostAtOnce = size_t{1} << 30;  // zlib counts in 32 bits

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with(kMagic);
}

/// A zlib stream that ends itself.
class Unpacker::Inflater {
 public:
  Inflater() { inflateInit2(&stream_, 16 + MAX_WBITS); }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// False: the bytes are no gzip.
  bool add(std::string_view bytes, std::string& text) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    char block[1 << 16];
    do {
      if (is_whole_) inflateReset(&stream_);  // another member follows
      stream_.next_out = reinterpret_cast<Bytef*>(block);
      stream_.avail_out = sizeof block;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      text.append(block, sizeof block - stream_.avail_out);
      is_whole_ = result == Z_STREAM_END;
      if (!is_whole_ && result != Z_OK && result != Z_BUF_ERROR) return false;
    } while (stream_.avail_in > 0 || (stream_.avail_out == 0 && !is_whole_));
    return true;
  }

  /// Whether the bytes so far end with a member.
  bool is_whole() const { return is_whole_; }

 private:
  z_stream stream_{};
  bool is_whole_ = false;
};

Unpacker::Unpacker(std::filesystem::path path, std::string key) : path_(std::move(path)), key_(std::move(key)) {}
Unpacker::~Unpacker() = default;

void Unpacker::add(std::string_view bytes, std::string& text) {
  if (knows_) return pass(bytes, text);
  head_ += bytes;
  if (head_.size() < kMagic.size()) return;
  knows_ = true;
  if (is_gzip(head_)) inflater_ = std::make_unique<Inflater>();
  pass(std::exchange(head_, {}), text);
}

void Unpacker::finish(std::string& text) {
  text += std::exchange(head_, {});
  if (inflater_ != nullptr && !inflater_->is_whole()) refuse();
}

void Unpacker::pass(std::string_view bytes, std::string& text) {
  if (inflater_ == nullptr) {
    text += bytes;
    return;
  }
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kMostAtOnce))) {
    if (!inflater_->add(bytes.substr(0, kMostAtOnce), text)) refuse();
  }
}

void Unpacker::refuse() const {
  throw Error(
      fmt::format("{}: '{}' is a damaged or cut-off gzip file; copy or download it again", key_, path_.string()));
}

}  // namespace attnlab::data
