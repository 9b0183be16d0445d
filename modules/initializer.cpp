#include "modules/initializer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "modules/parallel.h"
#include "modules/philox.h"

namespace attnlab::modules {

namespace {

constexpr int64_t words = 4;  // of one Philox block

std::array<double, words> uniforms(uint64_t stream, int64_t block) {
  const auto counter = static_cast<uint64_t>(block);
  const auto bits =
      philox<10>({static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32U), 0, 0}, philox_key(stream));
  std::array<double, words> drawn{};
  std::transform(bits.begin(), bits.end(), drawn.begin(), [](uint32_t word) { return (word + 0.5) * 0x1p-32; });
  return drawn;
}

// Box and Muller (1958): two uniforms make two normals.
std::array<double, words> normals(uint64_t stream, int64_t block) {
  auto drawn = uniforms(stream, block);
  for (size_t i = 0; i < drawn.size(); i += 2) {
    const double radius = std::sqrt(-2.0 * std::log(drawn[i]));
    const double angle = 2.0 * std::numbers::pi * drawn[i + 1];
    drawn[i] = radius * std::cos(angle);
    drawn[i + 1] = radius * std::sin(angle);
  }
  return drawn;
}

// Fills `parameter` with scale * draw(stream, block), on the CPU, whatever the parameter's device and dtype.
template <class Draw>
void fill(const torch::Tensor& parameter, uint64_t stream, double scale, Draw draw) {
  const torch::NoGradGuard no_grad;
  const int64_t count = parameter.numel();
  auto values = torch::empty({count}, torch::kFloat64);
  auto* out = values.data_ptr<double>();
  parallel_for(0, (count + words - 1) / words, 4096, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const auto drawn = draw(stream, block);
      for (int64_t i = 0; i < std::min(words, count - words * block); ++i) {
        out[words * block + i] = scale * drawn[static_cast<size_t>(i)];
      }
    }
  });
  const auto target = parameter.detach();
  target.copy_(values.view(parameter.sizes()));
}

}  // namespace

Initializer Initializer::at(std::string_view name) const {
  return {seed_, scope_ + std::string(name) + "."};
}

uint64_t Initializer::stream(std::string_view name) const {
  uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
  for (const char letter : scope_ + std::string(name)) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3U;
  }
  return scatter(scatter(seed_) ^ hash);
}

void Initializer::xavier_uniform(const torch::Tensor& parameter, std::string_view name, double gain) const {
  const double limit = gain * std::sqrt(6.0 / static_cast<double>(parameter.size(0) + parameter.size(1)));
  fill(parameter, stream(name), limit, [](uint64_t stream, int64_t block) {
    auto drawn = uniforms(stream, block);
    for (auto& value : drawn) {
      value = 2 * value - 1;
    }
    return drawn;
  });
}

void Initializer::normal(const torch::Tensor& parameter, std::string_view name, double deviation) const {
  fill(parameter, stream(name), deviation, normals);
}

}  // namespace attnlab::modules
