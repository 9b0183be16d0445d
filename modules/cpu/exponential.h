#pragma once
/// e^x in a form that the compiler vectorises, for the loops of `multiversion.h`.

#include <bit>
#include <cmath>
#include <cstdint>

#include "modules/cpu/multiversion.h"

namespace attnlab::modules::cpu {

/// e^x for x <= 0 to about 1e-7: 2^n times a polynomial in the rest |r| <= ln(2)/2 (coefficients of Cephes' expf,
/// Moshier 1989). NaN stays NaN; below -87 it is e^-87.
ATTNLAB_INLINE float exponential(float x) {
  x = x < -87.0F ? -87.0F : x;
  const float shifted = x * 1.44269504F + 12582912.0F;  // 1.5 * 2^23: the sum's low bits are the nearest integer
  const float n = shifted - 12582912.0F;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const uint32_t power = (std::bit_cast<uint32_t>(shifted) - 0x4B400000U + 127U) << 23U;  // 0x4B400000 = 1.5 * 2^23
  return p * std::bit_cast<float>(power);
}

/// std::exp, where float is not enough.
ATTNLAB_INLINE double exponential(double x) {
  return std::exp(x);
}

}  // namespace attnlab::modules::cpu
