#pragma once
/// NumPy's default_rng, bit for bit: SeedSequence, the PCG64 generator (XSL-RR), and the two draws that resampling
/// uses.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sacrebleu {

/// numpy.random.default_rng(seed).
class Pcg64 {
 public:
  /// seed: a non-negative decimal integer of any length; nullopt takes entropy from the operating system. Throws Error
  /// (value) for anything else.
  explicit Pcg64(const std::optional<std::string>& seed);

  std::uint64_t next64();
  /// The low half of a 64-bit draw first, then its high half.
  std::uint32_t next32();
  /// One element of choice(n, replace=True): Lemire's method on 32 bits; draws nothing when n is 1.
  std::uint32_t below(std::uint32_t n);

 private:
  void step();

  // The 128-bit state and increment as two halves each, so that no compiler extension is needed.
  struct Wide {
    std::uint64_t high = 0, low = 0;
  };
  static Wide add(Wide a, Wide b);
  static Wide multiply(Wide a, Wide b);

  Wide state_, increment_;
  std::optional<std::uint32_t> buffered_;
};

/// The draws of integers(2, dtype=bool): one bit after the other from next32, lowest first. The unused bits of the last
/// word are dropped, as at the end of a call of NumPy's.
class BoolStream {
 public:
  explicit BoolStream(Pcg64& generator) : generator_(generator) {}
  /// The next `count` bits (1 to 32), the first one lowest.
  std::uint32_t next(int count) {
    if (left_ < count) {
      bits_ |= static_cast<std::uint64_t>(generator_.next32()) << left_;
      left_ += 32;
    }
    const auto taken = static_cast<std::uint32_t>(bits_ & ((std::uint64_t{1} << count) - 1));
    bits_ >>= count;
    left_ -= count;
    return taken;
  }

 private:
  Pcg64& generator_;
  std::uint64_t bits_ = 0;
  int left_ = 0;
};

}  // namespace sacrebleu
