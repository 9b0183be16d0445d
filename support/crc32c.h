#pragma once
/// CRC-32C (Castagnoli), as iSCSI (RFC 3720, appendix B.4) and TFRecord files have it.

#include <cstdint>
#include <string_view>

namespace attnlab {

uint32_t crc32c(std::string_view bytes);

}  // namespace attnlab
