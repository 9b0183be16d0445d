#pragma once
/// Random choices that are the same with every compiler and library (those of <random> are not).

#include <cstdint>
#include <utility>
#include <vector>

namespace attnlab::data {

/// SplitMix64 (Steele, Lea, Flood 2014): the n-th number is a hash of (key + n * odd constant).
class Random {
 public:
  /// Streams of different keys are independent for all purposes here. Seed 0 is a seed like any other.
  explicit Random(uint64_t seed, uint64_t stream = 0) : state_(mix(seed) ^ mix(~stream)) {}

  uint64_t next() { return mix(state_ += 0x9E3779B97F4A7C15); }

  /// Uniform in [0, count); count in [1, 2^32). The bias is below count / 2^32.
  size_t below(size_t count) { return static_cast<size_t>(((next() >> 32) * count) >> 32); }

  /// True with this probability in percent.
  bool percent(size_t chance) { return below(100) < chance; }

  template <typename Container>
  const auto& pick(const Container& choices) {
    return choices[below(choices.size())];
  }

  template <typename Value>
  void shuffle(std::vector<Value>& values) {
    for (size_t left = values.size(); left > 1; --left) std::swap(values[left - 1], values[below(left)]);
  }

  /// The finaliser: a bijection that spreads every bit.
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_;
};

}  // namespace attnlab::data
