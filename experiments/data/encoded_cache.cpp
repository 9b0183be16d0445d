#include "experiments/data/encoded_cache.h"

#include <cstring>

#include "support/error.h"
#include "support/files.h"
#include "support/sha256.h"

namespace attnlab::data {
namespace {

using tokenizer::Ids;

// Layout: magic line, key line, digest line, body. The body: number of splits; for each of the two sides the number of
// lines, then for each line its length and its ids. All numbers are 32 bits wide, little-endian as the machines are
// that this runs on.
constexpr std::string_view kMagic = "attnlab encoded lines, version 1\n";
constexpr size_t kDigestSize = 64;

void put(std::string& body, uint32_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  body.append(bytes, sizeof number);
}

void put(std::string& body, const std::vector<Ids>& side) {
  put(body, static_cast<uint32_t>(side.size()));
  for (const Ids& ids : side) {
    put(body, static_cast<uint32_t>(ids.size()));
    body.append(reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(int32_t));
  }
}

/// Takes numbers off the front of a body; `ok` turns false, for good, where there are too few.
struct Reader {
  std::string_view body;
  bool ok = true;

  uint32_t number() {
    uint32_t value = 0;
    if (body.size() < sizeof value) {
      ok = false;
      return 0;
    }
    std::memcpy(&value, body.data(), sizeof value);
    body.remove_prefix(sizeof value);
    return value;
  }

  Ids ids() {
    const size_t size = number();
    if (body.size() / sizeof(int32_t) < size) ok = false;
    if (!ok) return {};
    Ids result(size);
    if (size > 0) std::memcpy(result.data(), body.data(), size * sizeof(int32_t));
    body.remove_prefix(size * sizeof(int32_t));
    return result;
  }

  std::vector<Ids> side() {
    const size_t lines = number();
    std::vector<Ids> result;
    for (size_t i = 0; ok && i < lines; ++i) result.push_back(ids());
    return result;
  }
};

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

}  // namespace

std::optional<std::vector<EncodedSides>> read_encoded(const std::filesystem::path& path, const std::string& key) {
  std::string content;
  try {
    content = read_file(path, "encoded ids");
  } catch (const Error&) {
    return std::nullopt;
  }
  std::string_view rest = content;
  if (!take(rest, kMagic) || !take(rest, key) || !take(rest, "\n") || rest.size() < kDigestSize + 1)
    return std::nullopt;
  const std::string_view digest = rest.substr(0, kDigestSize);
  Reader reader{rest.substr(kDigestSize + 1)};
  if (sha256_hex(reader.body) != digest) return std::nullopt;
  std::vector<EncodedSides> splits(reader.number());
  for (EncodedSides& split : splits) {
    split.source = reader.side();
    split.target = reader.side();
  }
  if (!reader.ok) return std::nullopt;
  return splits;
}

void write_encoded(const std::filesystem::path& path, const std::string& key, const std::vector<EncodedSides>& splits) {
  std::string body;
  put(body, static_cast<uint32_t>(splits.size()));
  for (const EncodedSides& split : splits) {
    put(body, split.source);
    put(body, split.target);
  }
  std::string content(kMagic);
  content += key + '\n' + sha256_hex(body) + '\n' + body;
  write_file_atomically(path, content);
}

}  // namespace attnlab::data
