#include "experiments/data/npz.h"

#include <cstring>
#include <regex>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "support/error.h"
#include "support/files.h"

namespace attnlab::data {
namespace {

/// Bytes of an array's header; std::regex needs stack for each.
constexpr size_t kLongestHeader = 4096;

/// Where something is being read, for messages.
struct Place {
  std::string file, array;

  [[noreturn]] void refuse(std::string_view why) const {
    throw Error(array.empty() ? fmt::format("'{}': {}", file, why)
                              : fmt::format("'{}', array {}: {}", file, array, why));
  }
};

/// Little-endian numbers at fixed places, checked against the end.
template <typename Number>
Number number_at(std::string_view bytes, size_t at, const Place& place) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Number)) place.refuse("the archive is cut off");
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string_view piece(std::string_view bytes, size_t at, size_t size, const Place& place) {
  if (at > bytes.size() || bytes.size() - at < size) place.refuse("the archive is cut off");
  return bytes.substr(at, size);
}

/// A member of the archive as the central directory describes it (APPNOTE.TXT 4.3.12).
struct Member {
  std::string name;
  uint16_t method;
  uint32_t crc, packed_size, size, header_at;
  size_t entry_size;  ///< of the entry in the directory
};

Member read_entry(std::string_view zip, size_t at, const Place& place) {
  constexpr uint32_t kSignature = 0x02014b50, kZip64 = 0xFFFFFFFF;
  if (number_at<uint32_t>(zip, at, place) != kSignature) place.refuse("the directory of the zip archive is damaged");
  const size_t name_size = number_at<uint16_t>(zip, at + 28, place);
  const size_t extra_size = number_at<uint16_t>(zip, at + 30, place),
               comment_size = number_at<uint16_t>(zip, at + 32, place);
  Member member = {std::string(piece(zip, at + 46, name_size, place)), number_at<uint16_t>(zip, at + 10, place),
                   number_at<uint32_t>(zip, at + 16, place),           number_at<uint32_t>(zip, at + 20, place),
                   number_at<uint32_t>(zip, at + 24, place),           number_at<uint32_t>(zip, at + 42, place),
                   46 + name_size + extra_size + comment_size};
  if (member.packed_size == kZip64 || member.size == kZip64 || member.header_at == kZip64)
    place.refuse("arrays of 4 GiB and more are not supported");
  return member;
}

std::string inflate_member(std::string_view packed, size_t size, const Place& place) {
  // No deflated data is smaller than a 1032nd of what it stands for: a larger size is damage, not a reason to take
  // memory.
  if (size / 1032 > packed.size()) place.refuse("the size in the zip directory is damaged");
  std::string bytes(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) place.refuse("zlib does not start");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(size);
  const int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (result != Z_STREAM_END || stream.avail_out != 0) place.refuse("the compressed data is damaged");
  return bytes;
}

std::string unpack(std::string_view zip, const Member& member, const Place& place) {
  // The local header repeats the name and may have another extra field than the directory.
  const size_t name_size = number_at<uint16_t>(zip, member.header_at + 26, place);
  const size_t extra_size = number_at<uint16_t>(zip, member.header_at + 28, place);
  const std::string_view packed = piece(zip, member.header_at + 30 + name_size + extra_size, member.packed_size, place);
  std::string bytes;
  switch (member.method) {
    case 0:
      bytes = packed;
      break;
    case 8:
      bytes = inflate_member(packed, member.size, place);
      break;
    default:
      place.refuse(
          fmt::format("zip method {} is not supported; write it with np.savez or np.savez_compressed", member.method));
  }
  const auto crc = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  if (crc != member.crc) place.refuse("the checksum does not fit: the file is damaged");
  return bytes;
}

template <typename Number>
std::vector<int64_t> widened(std::string_view data, size_t count, const Place& place) {
  if (data.size() / sizeof(Number) < count) place.refuse("there are fewer numbers than its header says");
  std::vector<int64_t> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = number_at<Number>(data, i * sizeof(Number), place);
  return values;
}

/// The .npy format, versions 1 to 3: magic, version, length of the header, the header as a Python dictionary, the data.
std::vector<int64_t> parse_npy(std::string_view npy, const Place& place) {
  if (!npy.starts_with("\x93NUMPY")) place.refuse("it is not in NumPy's format");
  const bool short_size = number_at<uint8_t>(npy, 6, place) == 1;
  const size_t header_at = short_size ? 10 : 12;
  const size_t header_size = short_size ? number_at<uint16_t>(npy, 8, place) : number_at<uint32_t>(npy, 8, place);
  const std::string header(piece(npy, header_at, header_size, place));
  if (header.size() > kLongestHeader)
    place.refuse(fmt::format("its header has {} bytes, one dimension of numbers needs fewer than {}", header.size(),
                             kLongestHeader));
  static const std::regex type_pattern("'descr': *'([^']*)'"), shape_pattern(R"('shape': *\((\d{0,18}),?\))");
  std::smatch type, shape;
  if (!std::regex_search(header, type, type_pattern) || !std::regex_search(header, shape, shape_pattern))
    place.refuse(fmt::format("one dimension of numbers was expected, its header is {}", header));
  const std::string count = shape[1].str();
  const size_t size = count.empty() ? 1 : std::stoull(count);
  const std::string_view data = npy.substr(header_at + header_size);
  if (type[1] == "<i8") return widened<int64_t>(data, size, place);
  if (type[1] == "<i4") return widened<int32_t>(data, size, place);
  place.refuse(
      fmt::format("type int32 or int64 was expected, it is '{}'; convert it with .astype(np.int32)", type[1].str()));
}

}  // namespace

std::map<std::string, std::vector<int64_t>> read_npz(const std::filesystem::path& path) {
  const std::string zip = read_file(path, ".npz file");
  Place place{path.string(), ""};
  // The end record is the last thing in the file, but for a comment of at most 64 KiB.
  const size_t end = zip.rfind("PK\x05\x06");
  if (end == std::string::npos)
    place.refuse("it is not an .npz archive (no end record of a zip file), or it is cut off");
  const size_t members = number_at<uint16_t>(zip, end + 10, place);
  size_t at = number_at<uint32_t>(zip, end + 16, place);
  std::map<std::string, std::vector<int64_t>> arrays;
  for (size_t i = 0; i < members; ++i) {
    place.array.clear();
    const Member member = read_entry(zip, at, place);
    at += member.entry_size;
    place.array = member.name.ends_with(".npy") ? member.name.substr(0, member.name.size() - 4) : member.name;
    arrays[place.array] = parse_npy(unpack(zip, member, place), place);
  }
  return arrays;
}

}  // namespace attnlab::data
