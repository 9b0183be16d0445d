#pragma once
/// Passes over one row of logits, compiled for several instruction sets and chosen at run time. No torch here.

#include <cstdint>
#include <span>
#include <vector>

namespace attnlab::decoding {

/// Logits are looked at in blocks of so many.
inline constexpr int64_t kScanBlock = 64;

/// The largest of each block of `row` (the last block may be short); NaN is passed over. `maxima` has ceil(V /
/// kScanBlock) places.
void block_maxima(std::span<const float> row, std::span<float> maxima);

/// log(sum(exp(row))), where `maximum` is the row's largest. NaN if the row holds NaN or +inf.
double log_sum_exp(std::span<const float> row, float maximum);

}  // namespace attnlab::decoding
