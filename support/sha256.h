#pragma once
/// SHA-256 (FIPS 180-4), for identities and cache names; with the processor's own instructions where it has them.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace attnlab {

/// A digest fed piece by piece.
class Sha256 {
 public:
  /// Adds bytes.
  void update(std::string_view bytes);

  /// The digest of everything added, as 64 lower-case hex digits. Ends the digest: call it once.
  std::string hex();

 private:
  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  uint64_t size_ = 0;  ///< bytes so far
};

/// The digest of one string, as 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace attnlab
