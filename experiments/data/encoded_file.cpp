#include "experiments/data/encoded_file.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "support/cores.h"
#include "support/error.h"
#include "support/sha256.h"

namespace attnlab::data {
namespace {

constexpr size_t kHead = 256;
constexpr size_t kBlock = 1 << 20;

std::string head(uint64_t index_at, std::string_view index) {
  std::string text =
      fmt::format("attnlab encoded pairs, version 2\n{} {} {}\n", index_at, index.size(), sha256_hex(index));
  text.resize(kHead, '\n');
  return text;
}

/// Where the index lies, as the head says.
std::optional<std::string_view> find_index(std::string_view file) {
  uint64_t start = 0, size = 0;
  const std::string text(file.substr(0, kHead));
  if (std::sscanf(text.c_str(), "attnlab encoded pairs, version 2\n%lu %lu ", &start, &size) != 2) return std::nullopt;
  if (start < kHead || start > file.size() || file.size() - start != size) return std::nullopt;
  const std::string_view index = file.substr(start);
  return text == head(start, index) ? std::optional(index) : std::nullopt;
}

/// Whether each block of `body` has its digest.
bool is_whole(std::string_view body, const std::vector<std::string>& digests) {
  if (digests.size() != (body.size() + kBlock - 1) / kBlock) return false;
  std::atomic<size_t> next = 0;
  std::atomic<bool> whole = true;
  const auto check = [&] {
    for (size_t i = next++; i < digests.size() && whole; i = next++)
      if (sha256_hex(body.substr(i * kBlock, kBlock)) != digests[i]) whole = false;
  };
  std::vector<std::thread> threads;
  for (size_t t = 1; t < std::min(usable_cores(), digests.size()); ++t) threads.emplace_back(check);
  check();
  for (std::thread& thread : threads) thread.join();
  return whole;
}

template <typename Number>
std::string_view bytes_of(std::span<const Number> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace

EncodedFile::EncodedFile(const std::filesystem::path& path, const std::string& key) : file_(path, "encoded pairs") {
  const auto refuse = [&](std::string_view reason) {
    throw Error(fmt::format("encoded pairs: '{}' {}", path.string(), reason));
  };
  const std::string_view bytes = file_.bytes();
  const auto index_text = find_index(bytes);
  if (!index_text) refuse("is cut off, damaged or of another version");
  const Json index = Json::parse(*index_text);
  if (index.at("key") != key) refuse("was made from other data or other tokenizers");
  const std::string_view body = bytes.substr(kHead, bytes.size() - kHead - index_text->size());
  if (!is_whole(body, index.at("digests").get<std::vector<std::string>>())) refuse("is damaged");
  for (const Json& split : index.at("splits"))
    splits_.emplace_back(reinterpret_cast<const int32_t*>(bytes.data() + split.at("ids").get<uint64_t>()),
                         reinterpret_cast<const uint64_t*>(bytes.data() + split.at("ends").get<uint64_t>()),
                         split.at("pairs").get<size_t>());
  notes_ = index.at("notes");
}

EncodedWriter::EncodedWriter(const std::filesystem::path& path, std::string key)
    : file_(path), key_(std::move(key)), split_start_(kHead) {
  file_.write(std::string(kHead, '\0'));
}

void EncodedWriter::add(std::span<const int32_t> source, std::span<const int32_t> target) {
  for (const auto side : {source, target}) {
    append(bytes_of(side));
    ends_.push_back((position() - split_start_) / sizeof(int32_t));
  }
}

void EncodedWriter::end_split() {
  append(std::string(position() % alignof(uint64_t), '\0'));  // ids are half as wide as the numbers that follow
  splits_.push_back({{"pairs", pairs()}, {"ids", split_start_}, {"ends", position()}});
  append(bytes_of(std::span<const uint64_t>(ends_)));
  ends_.clear();
  split_start_ = position();
}

void EncodedWriter::finish(const Json& notes) {
  if (!waiting_.empty()) write_block(std::exchange(waiting_, {}));
  const Json index = {{"key", key_}, {"splits", splits_}, {"notes", notes}, {"digests", digests_}};
  const uint64_t index_at = file_.size();
  const std::string text = index.dump();
  file_.write(text);
  file_.overwrite(0, head(index_at, text));
  file_.commit();
}

void EncodedWriter::append(std::string_view bytes) {
  waiting_ += bytes;
  size_t done = 0;
  for (; waiting_.size() - done >= kBlock; done += kBlock) write_block(std::string_view(waiting_).substr(done, kBlock));
  if (done > 0) waiting_.erase(0, done);
}

void EncodedWriter::write_block(std::string_view block) {
  digests_.push_back(sha256_hex(block));
  file_.write(block);
}

}  // namespace attnlab::data
