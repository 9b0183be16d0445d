#include "experiments/training/device.h"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "support/error.h"

namespace attnlab::training {
namespace {

/// The N of `cuda:N`; -1 if it is no number.
int device_index(std::string_view digits) {
  int index = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  return error == std::errc() && end == digits.data() + digits.size() ? index : -1;
}

}  // namespace

torch::Device choose_device(const std::string& name, const std::string& key) {
  const int gpus = torch::cuda::is_available() ? static_cast<int>(torch::cuda::device_count()) : 0;
  if (name == "cpu" || (name == "auto" && gpus == 0)) return torch::kCPU;
  if (name == "auto") return torch::Device(torch::kCUDA, 0);
  const bool numbered = name.starts_with("cuda:");
  if (name != "cuda" && !numbered) {
    throw Error(fmt::format("{}: '{}' is no device; expected cpu, cuda, cuda:N or auto", key, name));
  }
  const int index = numbered ? device_index(std::string_view(name).substr(5)) : 0;
  if (index >= 0 && index < gpus) return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(index));
  throw Error(fmt::format(
      "{}: '{}' does not exist here: {}. Use cpu or auto.", key, name,
      gpus == 0 ? "this LibTorch finds no CUDA device" : fmt::format("there are cuda:0 to cuda:{}", gpus - 1)));
}

}  // namespace attnlab::training
