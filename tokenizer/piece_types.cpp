#include "tokenizer/piece_types.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace attnlab::tokenizer {
namespace {

constexpr uint64_t kUserDefined = 4;

/// One field of a protobuf message: its number, and its value or its bytes.
struct Field {
  uint64_t number = 0, value = 0;
  std::string_view bytes;
};

/// Walks over the fields of a message (protobuf encoding, wire types 0, 1, 2 and 5).
class Fields {
 public:
  explicit Fields(std::string_view message) : rest_(message) {}

  bool next(Field& field) {
    if (rest_.empty()) return false;
    const uint64_t tag = varint();
    field = {tag >> 3, 0, {}};
    switch (tag & 7) {
      case 0:
        field.value = varint();
        return true;
      case 1:
        field.bytes = take(8);
        return true;
      case 2:
        field.bytes = take(varint());
        return true;
      case 5:
        field.bytes = take(4);
        return true;
      default:
        return false;
    }
  }

 private:
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; !rest_.empty() && shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    return value;
  }

  std::string_view take(uint64_t size) {
    const std::string_view bytes = rest_.substr(0, static_cast<size_t>(std::min<uint64_t>(size, rest_.size())));
    rest_.remove_prefix(bytes.size());
    return bytes;
  }

  std::string_view rest_;
};

bool is_user_symbol(std::string_view piece) {
  Field field;
  for (Fields fields(piece); fields.next(field);)
    if (field.number == 3) return field.value == kUserDefined;
  return false;
}

}  // namespace

std::vector<bool> user_symbols_of_model(std::string_view model) {
  std::vector<bool> result;
  Field field;
  for (Fields fields(model); fields.next(field);)
    if (field.number == 1) result.push_back(is_user_symbol(field.bytes));
  return result;
}

}  // namespace attnlab::tokenizer
