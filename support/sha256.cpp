#include "support/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace attnlab {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
constexpr std::array<uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t big_endian(const unsigned char* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | uint32_t{bytes[3]};
}

/// The message schedule of one block (6.2.2, step 1).
std::array<uint32_t, 64> schedule(const unsigned char* block) {
  std::array<uint32_t, 64> w{};
  for (size_t t = 0; t < 16; ++t) w[t] = big_endian(block + 4 * t);
  for (size_t t = 16; t < 64; ++t) {
    const uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }
  return w;
}

using State = std::array<uint32_t, 8>;

void compress_block(State& state, const unsigned char* block) {
  const std::array<uint32_t, 64> w = schedule(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t t = 0; t < 64; ++t) {
    const uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + kRound[t] + w[t];
    const uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const State added = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < 8; ++i) state[i] += added[i];
}

void compress_plain(State& state, const unsigned char* blocks, size_t count) {
  for (size_t i = 0; i < count; ++i) compress_block(state, blocks + 64 * i);
}

#if defined(__x86_64__)
/// With the SHA extensions (Intel, "Intel SHA Extensions", 2013): two rounds an instruction, the state in two registers
/// as ABEF and CDGH.
__attribute__((target("sha,sse4.1"))) void compress_sha(State& state, const unsigned char* blocks, size_t count) {
  const __m128i big_endian_words = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const auto load = [](const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); };
  const __m128i dcba = _mm_shuffle_epi32(load(state.data()), 0xB1), hgfe = _mm_shuffle_epi32(load(&state[4]), 0x1B);
  __m128i abef = _mm_alignr_epi8(dcba, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, dcba, 0xF0);
  for (; count > 0; --count, blocks += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];  // words 4 t .. 4 t + 3 in w[t % 4]
    for (size_t t = 0; t < 16; ++t) {
      __m128i& now = w[t % 4];
      if (t < 4) {
        now = _mm_shuffle_epi8(load(blocks + 16 * t), big_endian_words);
      } else {
        const __m128i last = w[(t + 3) % 4], before_last = w[(t + 2) % 4];
        now = _mm_sha256msg1_epu32(now, w[(t + 1) % 4]);
        now = _mm_add_epi32(now, _mm_alignr_epi8(last, before_last, 4));
        now = _mm_sha256msg2_epu32(now, last);
      }
      const __m128i sum = _mm_add_epi32(now, load(&kRound[4 * t]));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[4]), _mm_alignr_epi8(dchg, feba, 8));
}

bool has_sha_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(1, 0, &a, &b, &c, &d) == 0 || (c & bit_SSE4_1) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}
#endif

using Compress = void (*)(State&, const unsigned char*, size_t);

Compress best_compress() {
#if defined(__x86_64__)
  if (has_sha_instructions()) return compress_sha;
#endif
  return compress_plain;
}

/// Adds so many whole blocks.
void compress(State& state, const unsigned char* blocks, size_t count) {
  static const Compress best = best_compress();
  best(state, blocks, count);
}

}  // namespace

void Sha256::update(std::string_view bytes) {
  if (bytes.empty()) return;  // it may point nowhere
  const size_t filled = size_ % 64;
  size_ += bytes.size();
  if (filled > 0) {
    const size_t count = std::min(bytes.size(), 64 - filled);
    std::memcpy(block_.data() + filled, bytes.data(), count);
    bytes.remove_prefix(count);
    if (filled + count < 64) return;
    compress(state_, block_.data(), 1);
  }
  compress(state_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size() / 64);
  bytes.remove_prefix(bytes.size() / 64 * 64);
  if (!bytes.empty()) std::memcpy(block_.data(), bytes.data(), bytes.size());
}

std::string Sha256::hex() {
  const uint64_t bits = size_ * 8;
  update(std::string_view("\x80", 1));
  while (size_ % 64 != 56) update(std::string_view("\0", 1));
  std::string length(8, '\0');
  for (int i = 0; i < 8; ++i) length[static_cast<size_t>(i)] = static_cast<char>(bits >> (56 - 8 * i) & 0xff);
  update(length);
  std::string text;
  for (const uint32_t word : state_) text += fmt::format("{:08x}", word);
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 digest;
  digest.update(bytes);
  return digest.hex();
}

}  // namespace attnlab
