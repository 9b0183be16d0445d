#include "sacrebleu/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <random>

#include <fmt/format.h>

#include "sacrebleu/error.h"

namespace sacrebleu {
namespace {

/// Decimal digits -> 32-bit words, the lowest first; zero is one word.
std::vector<std::uint32_t> words_of(const std::string& seed) {
  if (seed.empty() || seed.find_first_not_of("0123456789") != std::string::npos) {
    throw Error(ErrorKind::value,
                fmt::format("the seed must be a non-negative integer or 'none', but it is '{}'", seed));
  }
  std::vector<std::uint32_t> words;
  for (const char digit : seed) {
    std::uint64_t carry = static_cast<std::uint64_t>(digit - '0');
    for (auto& word : words) {
      carry += static_cast<std::uint64_t>(word) * 10;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32U;
    }
    if (carry > 0) words.push_back(static_cast<std::uint32_t>(carry));
  }
  if (words.empty()) words.push_back(0);
  return words;
}

std::vector<std::uint32_t> system_entropy() {
  std::random_device device;
  return {device(), device(), device(), device()};
}

/// O'Neill's seed_seq_fe as NumPy's SeedSequence fixes it: a pool of four words.
class SeedSequence {
 public:
  explicit SeedSequence(const std::vector<std::uint32_t>& entropy) {
    std::uint32_t constant = 0x43b0d7e5;
    const auto hash = [&constant](std::uint32_t value) {
      value ^= constant;
      constant *= 0x931e8875;
      value *= constant;
      return value ^ (value >> 16U);
    };
    for (std::size_t i = 0; i < pool_.size(); ++i) pool_[i] = hash(i < entropy.size() ? entropy[i] : 0);
    for (std::size_t source = 0; source < pool_.size(); ++source) {
      for (std::size_t target = 0; target < pool_.size(); ++target) {
        if (source != target) pool_[target] = mix(pool_[target], hash(pool_[source]));
      }
    }
    for (std::size_t source = pool_.size(); source < entropy.size(); ++source) {
      for (auto& word : pool_) word = mix(word, hash(entropy[source]));
    }
  }

  [[nodiscard]] std::array<std::uint64_t, 4> generate() const {
    std::uint32_t constant = 0x8b51f9dd;
    std::array<std::uint64_t, 4> state{};
    for (std::size_t i = 0; i < 8; ++i) {
      std::uint32_t value = pool_[i % pool_.size()] ^ constant;
      constant *= 0x58f38ded;
      value *= constant;
      value ^= value >> 16U;
      state[i / 2] |= static_cast<std::uint64_t>(value) << (i % 2 * 32);
    }
    return state;
  }

 private:
  static std::uint32_t mix(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t result = 0xca01f9dd * x - 0x4973f715 * y;
    return result ^ (result >> 16U);
  }
  std::array<std::uint32_t, 4> pool_{};
};

}  // namespace

Pcg64::Wide Pcg64::add(Wide a, Wide b) {
  const std::uint64_t low = a.low + b.low;
  return {a.high + b.high + (low < a.low ? 1 : 0), low};
}

Pcg64::Wide Pcg64::multiply(Wide a, Wide b) {
  const std::uint64_t a0 = a.low & 0xFFFFFFFF, a1 = a.low >> 32U, b0 = b.low & 0xFFFFFFFF, b1 = b.low >> 32U;
  const std::uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32U);
  const std::uint64_t other = a0 * b1 + (middle & 0xFFFFFFFF);
  const std::uint64_t high = a1 * b1 + (middle >> 32U) + (other >> 32U);
  return {high + a.high * b.low + a.low * b.high, (other << 32U) | (low & 0xFFFFFFFF)};
}

Pcg64::Pcg64(const std::optional<std::string>& seed) {
  const auto words = SeedSequence(seed ? words_of(*seed) : system_entropy()).generate();
  const Wide start{words[0], words[1]};
  increment_ = {(words[2] << 1U) | (words[3] >> 63U), (words[3] << 1U) | 1U};
  step();
  state_ = add(state_, start);
  step();
}

void Pcg64::step() {
  state_ = add(multiply(state_, {0x2360ED051FC65DA4, 0x4385DF649FCCF645}), increment_);
}

std::uint64_t Pcg64::next64() {
  step();
  return std::rotr(state_.high ^ state_.low, static_cast<int>(state_.high >> 58U));
}

std::uint32_t Pcg64::next32() {
  if (buffered_) {
    const std::uint32_t word = *buffered_;
    buffered_.reset();
    return word;
  }
  const std::uint64_t draw = next64();
  buffered_ = static_cast<std::uint32_t>(draw >> 32U);
  return static_cast<std::uint32_t>(draw);
}

std::uint32_t Pcg64::below(std::uint32_t n) {
  if (n <= 1) return 0;
  std::uint64_t product = static_cast<std::uint64_t>(next32()) * n;
  if (static_cast<std::uint32_t>(product) < n) {
    const std::uint32_t threshold = (0U - n) % n;
    while (static_cast<std::uint32_t>(product) < threshold) product = static_cast<std::uint64_t>(next32()) * n;
  }
  return static_cast<std::uint32_t>(product >> 32U);
}

}  // namespace sacrebleu
