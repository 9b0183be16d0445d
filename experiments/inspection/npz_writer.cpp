// NumPy's .npz: a ZIP archive of .npy files, stored without compression. Formats: NumPy's numpy.lib.format
// (version 1.0) and PKWARE's APPNOTE.TXT (sections 4.3.7, 4.3.12, 4.3.16).

#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "experiments/inspection/atomic_stream.h"
#include "experiments/inspection/writer.h"
#include "support/error.h"

namespace attnlab::inspection {

namespace {

/// Little-endian numbers, as ZIP has them.
class Record {
 public:
  Record& u16(uint32_t value) { return number(value, 2); }
  Record& u32(uint32_t value) { return number(value, 4); }
  Record& text(std::string_view value) {
    bytes_.append(value);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  Record& number(uint32_t value, int width) {
    for (int i = 0; i < width; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
    return *this;
  }
  std::string bytes_;
};

/// One stored member.
struct Member {
  std::string name;
  uint32_t checksum, size, offset;
};

constexpr uint32_t kFirstDay = (1 << 5) | 1;  // 1980-01-01: the same export has the same bytes

std::string npy_header(const std::string& type, const std::vector<int64_t>& shape) {
  std::string extents;
  for (const int64_t extent : shape) extents += fmt::format("{},", extent);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, extents);
  text.append(63 - (10 + text.size()) % 64, ' ').push_back('\n');  // the data begin at a multiple of 64
  return Record()
      .text("\x93NUMPY")
      .text(std::string_view("\x01\x00", 2))
      .u16(static_cast<uint32_t>(text.size()))
      .text(text)
      .bytes();
}

class NpzWriter : public AttentionWriter {
 public:
  NpzWriter(const std::filesystem::path& path, const ExportPlan& plan) : path_(path), stream_(path) {
    const std::string metadata = describe_export(plan);
    add("metadata", npy_header("|u1", {static_cast<int64_t>(metadata.size())}), metadata);
  }

  void write(const Sentence& sentence, const KindMaps& part) override {
    for (size_t i = 0; i < part.layers.size(); ++i) {
      const torch::Tensor weights = part.weights[static_cast<int64_t>(i)].contiguous();
      add(tensor_name(sentence.id, part.kind, part.layers[i]), npy_header("<f4", weights.sizes().vec()),
          {static_cast<const char*>(weights.const_data_ptr()), weights.nbytes()});
    }
  }

  void finish() override {
    const auto start = static_cast<uint32_t>(stream_.size());
    for (const Member& member : members_) {
      Record entry;
      entry.u32(0x02014b50).u16(20).u16(20);
      describe(entry, member).u16(0).u16(0).u16(0).u32(0).u32(member.offset).text(member.name);
      stream_.write(entry.bytes());
    }
    const auto size = static_cast<uint32_t>(stream_.size() - start);
    const auto count = static_cast<uint32_t>(members_.size());
    stream_.write(Record().u32(0x06054b50).u16(0).u16(0).u16(count).u16(count).u32(size).u32(start).u16(0).bytes());
    stream_.commit();
  }

 private:
  /// What local and central headers share: flags, method, time, date, checksum, sizes, length of the name, no extra
  /// field.
  static Record& describe(Record& record, const Member& member) {
    constexpr uint32_t utf8_names = 1 << 11, stored = 0;
    return record.u16(utf8_names)
        .u16(stored)
        .u16(0)
        .u16(kFirstDay)
        .u32(member.checksum)
        .u32(member.size)
        .u32(member.size)
        .u16(static_cast<uint32_t>(member.name.size()))
        .u16(0);
  }

  void add(const std::string& name, const std::string& header, std::string_view data) {
    const uint64_t size = header.size() + data.size();
    constexpr uint64_t largest = std::numeric_limits<uint32_t>::max();
    if (members_.size() >= 65'000 || stream_.size() + size + (members_.size() + 1) * 200 > largest) {
      throw Error(fmt::format(
          "{}: an npz file ends at 4 GiB and 65,000 arrays; take fewer sentences (--limit) or --format safetensors",
          path_.string()));
    }
    uint32_t checksum = static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(header.data()), header.size()));
    checksum = static_cast<uint32_t>(crc32_z(checksum, reinterpret_cast<const Bytef*>(data.data()), data.size()));
    members_.push_back({name + ".npy", checksum, static_cast<uint32_t>(size), static_cast<uint32_t>(stream_.size())});
    Record local;
    local.u32(0x04034b50).u16(20);
    describe(local, members_.back()).text(members_.back().name).text(header);
    stream_.write(local.bytes());
    stream_.write(data);
  }

  std::filesystem::path path_;
  AtomicStream stream_;
  std::vector<Member> members_;
};

}  // namespace

std::unique_ptr<AttentionWriter> make_npz_writer(const std::filesystem::path& path, const ExportPlan& plan) {
  return std::make_unique<NpzWriter>(path, plan);
}

}  // namespace attnlab::inspection
