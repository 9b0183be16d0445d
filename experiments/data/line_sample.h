#pragma once
/// Some of many lines, drawn evenly while they pass by.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "experiments/data/random.h"

namespace attnlab::data {

/// Draws `wanted` of `available` lines (all, if there are not more), each set of so many with the same chance:
/// selection sampling (Knuth, The Art of Computer Programming, volume 2, algorithm S of 3.4.2). The same numbers draw
/// the same.
class LineSample {
 public:
  LineSample(size_t available, size_t wanted) : left_(available), wanted_(std::min(available, wanted)) {}

  /// Whether the next of the available lines is drawn.
  bool draws() {
    if (random_.below(left_--) >= wanted_) return false;
    --wanted_;
    return true;
  }

 private:
  Random random_{/*seed=*/1};
  size_t left_, wanted_;
};

}  // namespace attnlab::data
