#pragma once
/// Philox4x32 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"): random bits as a pure function of a
/// key and a counter.

#include <array>
#include <cstdint>

namespace attnlab::modules {

using PhiloxKey = std::array<uint32_t, 2>;
using PhiloxBlock = std::array<uint32_t, 4>;

/// A bijection of 64-bit numbers that scatters close ones far apart (the finaliser of SplitMix64, Steele et al. 2014).
inline uint64_t scatter(uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

inline PhiloxKey philox_key(uint64_t key) {
  return {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32U)};
}

/// The four random words of `counter`. Seven rounds pass the BigCrush tests; ten have a margin.
template <int Rounds>
inline PhiloxBlock philox(PhiloxBlock counter, PhiloxKey key) {
  for (int round = 0; round < Rounds; ++round) {
    const uint64_t a = uint64_t{0xD2511F53U} * counter[0];
    const uint64_t b = uint64_t{0xCD9E8D57U} * counter[2];
    counter = {static_cast<uint32_t>(b >> 32U) ^ counter[1] ^ key[0], static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32U) ^ counter[3] ^ key[1], static_cast<uint32_t>(a)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

}  // namespace attnlab::modules
