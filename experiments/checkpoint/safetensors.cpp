#include "experiments/checkpoint/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "support/error.h"
#include "support/files.h"
#include "support/json.h"

namespace attnlab::checkpoint {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian and is read without swapping");

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::string_view kChecksum = "crc32";
constexpr std::string_view kNoChecksum = "00000000";
constexpr uint64_t kLargestHeader = 100'000'000;  // the format's own limit

struct TypeName {
  at::ScalarType type;
  std::string_view name;
};
constexpr std::array<TypeName, 10> kTypes = {{{at::kDouble, "F64"},
                                              {at::kFloat, "F32"},
                                              {at::kHalf, "F16"},
                                              {at::kBFloat16, "BF16"},
                                              {at::kLong, "I64"},
                                              {at::kInt, "I32"},
                                              {at::kShort, "I16"},
                                              {at::kChar, "I8"},
                                              {at::kByte, "U8"},
                                              {at::kBool, "BOOL"}}};

std::string_view name_of(at::ScalarType type, const std::string& tensor) {
  for (const TypeName& entry : kTypes) {
    if (entry.type == type) return entry.name;
  }
  throw Error(fmt::format("tensor '{}' has type {}, which the safetensors writer does not know: convert it to float32",
                          tensor, c10::toString(type)));
}

std::string_view bytes_of(const torch::Tensor& tensor) {
  return {static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes()};
}

uint32_t add_to_checksum(uint32_t sum, std::string_view bytes) {
  return static_cast<uint32_t>(crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Where the eight digits of the checksum stand in the header; npos if there is none. A value cannot imitate the key,
/// since the quotes inside a JSON string are escaped.
size_t checksum_position(std::string_view header) {
  const std::string key = fmt::format("\"{}\":\"", kChecksum);
  const size_t found = header.find(key);
  if (found == std::string_view::npos || found + key.size() + kNoChecksum.size() > header.size()) {
    return std::string_view::npos;
  }
  return found + key.size();
}

std::string header_of(const NamedTensors& tensors, const std::map<std::string, std::string>& metadata) {
  Json header;
  Json& described = header[std::string(kMetadata)];
  for (const auto& [key, value] : metadata) described[key] = value;
  described[std::string(kChecksum)] = std::string(kNoChecksum);
  size_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    if (header.contains(name)) throw Error(fmt::format("two tensors are called '{}'", name));
    header[name] = {{"dtype", name_of(tensor.scalar_type(), name)},
                    {"shape", tensor.sizes().vec()},
                    {"data_offsets", {offset, offset + tensor.nbytes()}}};
    offset += tensor.nbytes();
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // the data begin aligned
  return text;
}

/// Reads one file, so that every complaint can name it.
class Reader {
 public:
  Reader(const std::filesystem::path& path, std::string_view content) : path_(path), content_(content) {}

  TensorFile read() {
    const std::string_view header = split_header();
    const Json json = parse(header);
    TensorFile file;
    size_t expected = 0;
    for (const auto& [name, entry] : json.items()) {
      if (name == kMetadata) {
        read_metadata(entry, file.metadata);
      } else {
        file.tensors.emplace_back(name, read_tensor(name, entry, expected));
      }
    }
    if (expected != data_.size()) damaged(fmt::format("{} bytes of data, its header says {}", data_.size(), expected));
    verify_checksum(header);
    file.metadata.erase(std::string(kChecksum));
    return file;
  }

  std::map<std::string, std::string> metadata() {
    const Json json = parse(split_header());
    std::map<std::string, std::string> metadata;
    if (json.contains(kMetadata)) read_metadata(json.at(std::string(kMetadata)), metadata);
    metadata.erase(std::string(kChecksum));
    return metadata;
  }

 private:
  [[noreturn]] void damaged(const std::string& what) const {
    throw Error(fmt::format("'{}' is damaged or not a safetensors file: {}", path_.string(), what));
  }

  std::string_view split_header() {
    uint64_t length = 0;
    if (content_.size() < sizeof length) damaged(fmt::format("only {} bytes long", content_.size()));
    std::memcpy(&length, content_.data(), sizeof length);
    if (length > kLargestHeader || length > content_.size() - sizeof length) {
      damaged(fmt::format("its header should take {} bytes, the file has {}", length, content_.size()));
    }
    data_ = content_.substr(sizeof length + length);
    return content_.substr(sizeof length, length);
  }

  Json parse(std::string_view header) const {
    try {
      Json json = parse_json(header, path_.string());
      if (json.is_object()) return json;
    } catch (const Error& error) {
      damaged(error.what());
    }
    damaged("its header is no JSON object");
  }

  void read_metadata(const Json& entry, std::map<std::string, std::string>& metadata) const {
    if (!entry.is_object()) damaged("__metadata__ is no object");
    for (const auto& [key, value] : entry.items()) {
      if (!value.is_string()) damaged(fmt::format("metadata '{}' is no string", key));
      metadata[key] = value.get<std::string>();
    }
  }

  at::ScalarType read_type(const std::string& name, const Json& entry) const {
    const Json type = entry.value("dtype", Json());
    for (const TypeName& known : kTypes) {
      if (type.is_string() && type.get<std::string>() == known.name) return known.type;
    }
    damaged(fmt::format("tensor '{}' has the unknown type {}", name, brief(type)));
  }

  std::vector<int64_t> read_numbers(const std::string& name, const Json& entry, const char* key) const {
    const Json list = entry.value(key, Json());
    bool good = list.is_array();
    std::vector<int64_t> numbers;
    for (const Json& item : list) {
      good = good && item.is_number_integer() && item.get<int64_t>() >= 0;
      if (good) numbers.push_back(item.get<int64_t>());
    }
    if (!good) damaged(fmt::format("tensor '{}': '{}' is no list of whole numbers: {}", name, key, brief(list)));
    return numbers;
  }

  torch::Tensor read_tensor(const std::string& name, const Json& entry, size_t& expected) const {
    if (!entry.is_object()) damaged(fmt::format("tensor '{}' is not described by an object", name));
    const at::ScalarType type = read_type(name, entry);
    const std::vector<int64_t> shape = read_numbers(name, entry, "shape");
    const std::vector<int64_t> offsets = read_numbers(name, entry, "data_offsets");
    uint64_t bytes = c10::elementSize(type);
    for (const int64_t extent : shape) {
      if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(extent), &bytes))
        bytes = std::numeric_limits<uint64_t>::max();
    }
    const bool fits = offsets.size() == 2 && static_cast<uint64_t>(offsets[0]) == expected &&
                      bytes <= data_.size() - expected && static_cast<uint64_t>(offsets[1]) == expected + bytes;
    if (!fits) damaged(fmt::format("tensor '{}' does not lie where its shape and the tensors before it say", name));
    torch::Tensor tensor = torch::empty(shape, type);
    if (bytes > 0) std::memcpy(tensor.mutable_data_ptr(), data_.data() + expected, bytes);
    expected += bytes;
    return tensor;
  }

  void verify_checksum(std::string_view header) const {
    const size_t position = checksum_position(header);
    if (position == std::string_view::npos) return;  // written by another program
    std::string blank(header);
    const std::string stated = blank.substr(position, kNoChecksum.size());
    blank.replace(position, kNoChecksum.size(), kNoChecksum);
    const std::string actual = fmt::format("{:08x}", add_to_checksum(add_to_checksum(0, blank), data_));
    if (actual != stated) damaged(fmt::format("its checksum is {}, its header says {}", actual, stated));
  }

  const std::filesystem::path& path_;
  std::string_view content_, data_;
};

}  // namespace

void save_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                  const std::map<std::string, std::string>& metadata) {
  NamedTensors dense;
  dense.reserve(tensors.size());
  for (const auto& [name, tensor] : tensors) dense.emplace_back(name, tensor.detach().cpu().contiguous());

  std::string header = header_of(dense, metadata);
  uint32_t checksum = add_to_checksum(0, header);
  size_t total = sizeof(uint64_t) + header.size();
  for (const auto& entry : dense) {
    checksum = add_to_checksum(checksum, bytes_of(entry.second));
    total += entry.second.nbytes();
  }
  header.replace(checksum_position(header), kNoChecksum.size(), fmt::format("{:08x}", checksum));

  std::string content;
  content.reserve(total);
  const uint64_t length = header.size();
  content.append(reinterpret_cast<const char*>(&length), sizeof length).append(header);
  for (const auto& entry : dense) content.append(bytes_of(entry.second));
  write_file_atomically(path, content);
}

TensorFile load_tensors(const std::filesystem::path& path) {
  const std::string content = read_file(path, "tensors");
  return Reader(path, content).read();
}

std::map<std::string, std::string> load_metadata(const std::filesystem::path& path) {
  require_readable_file(path, "tensors");
  std::ifstream in(path, std::ios::binary);
  uint64_t length = 0;
  in.read(reinterpret_cast<char*>(&length), sizeof length);
  const uint64_t wanted = sizeof length + (length > kLargestHeader ? 0 : length);
  std::string content(std::min<uint64_t>(wanted, std::filesystem::file_size(path)), '\0');
  in.clear();
  in.seekg(0);
  in.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<size_t>(in.gcount()));
  return Reader(path, content).metadata();
}

}  // namespace attnlab::checkpoint
