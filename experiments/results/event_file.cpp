#include "experiments/results/event_file.h"

#include <bit>

#include "support/crc32c.h"

namespace attnlab::results {
namespace {

// Wire types of protocol buffers.
enum Wire : uint32_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

template <typename Number>
std::string little_endian(Number value) {
  std::string text;
  for (size_t i = 0; i < sizeof value; ++i) text.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
  return text;
}

std::string varint_of(uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) text.push_back(static_cast<char>(value | 0x80));
  text.push_back(static_cast<char>(value));
  return text;
}

std::string key(uint32_t field, Wire wire) {
  return varint_of(field << 3 | wire);
}

std::string bytes_field(uint32_t field, std::string_view content) {
  return key(field, bytes) + varint_of(content.size()) + std::string(content);
}

/// The fields that every event begins with: wall_time = 1, step = 2.
std::string event_start(double wall_time, int64_t step) {
  return key(1, fixed64) + little_endian(std::bit_cast<uint64_t>(wall_time)) + key(2, varint) +
         varint_of(static_cast<uint64_t>(step));
}

uint32_t masked_crc(std::string_view data) {
  const uint32_t crc = crc32c(data);
  return (crc >> 15 | crc << 17) + 0xA282EAD8u;
}

}  // namespace

std::string tfrecord(std::string_view data) {
  const std::string length = little_endian(static_cast<uint64_t>(data.size()));
  return length + little_endian(masked_crc(length)) + std::string(data) + little_endian(masked_crc(data));
}

std::string version_event(double wall_time) {
  return event_start(wall_time, 0) + bytes_field(3, "brain.Event:2");  // file_version = 3
}

std::string scalar_event(double wall_time, int64_t step, std::string_view tag, double value) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  const std::string entry = bytes_field(1, tag) + key(2, fixed32) + little_endian(bits);  // tag = 1, simple_value = 2
  const std::string summary = bytes_field(1, entry);                                      // value = 1
  return event_start(wall_time, step) + bytes_field(5, summary);                          // summary = 5
}

}  // namespace attnlab::results
