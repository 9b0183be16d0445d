#pragma once
/// The random words of dropout's masks, for the loops of this folder.

#include <cstdint>

#include "modules/cpu/drop.h"
#include "modules/cpu/multiversion.h"

namespace attnlab::modules::cpu {

/// Writes the `group_size` words of one group: Philox4x32-7 blocks, whose words lie in four rows, so that a vector of
/// blocks stores without shuffles.
ATTNLAB_INLINE void draw(uint32_t* words, uint64_t group, const Mask& mask) {
  constexpr int lanes = group_size / 4;
  const auto key_low = static_cast<uint32_t>(mask.key), key_high = static_cast<uint32_t>(mask.key >> 32U);
  const uint64_t first = group * lanes;  // the lanes of one group never straddle a multiple of 2^32
  const auto low = static_cast<uint32_t>(first), high = static_cast<uint32_t>(first >> 32U);
  const uint32_t place = mask.place, micro_batch = mask.micro_batch;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    uint32_t c0 = low + lane, c1 = high, c2 = place, c3 = micro_batch, k0 = key_low, k1 = key_high;
#if defined(__clang__)
#pragma clang loop unroll(full)
#else
#pragma GCC unroll 7
#endif
    for (int round = 0; round < 7; ++round) {
      const uint64_t a = uint64_t{0xD2511F53U} * c0, b = uint64_t{0xCD9E8D57U} * c2;
      c0 = static_cast<uint32_t>(b >> 32U) ^ c1 ^ k0;
      c1 = static_cast<uint32_t>(b);
      c2 = static_cast<uint32_t>(a >> 32U) ^ c3 ^ k1;
      c3 = static_cast<uint32_t>(a);
      k0 += 0x9E3779B9U;
      k1 += 0xBB67AE85U;
    }
    words[lane] = c0;
    words[lane + lanes] = c1;
    words[lane + 2 * lanes] = c2;
    words[lane + 3 * lanes] = c3;
  }
}

}  // namespace attnlab::modules::cpu
