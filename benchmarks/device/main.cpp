// attnlab_device: is a GPU right, and how fast is it? Needs nothing but LibTorch, so that it can be built on a machine
// on which nothing can be installed. Used by benchmarks/cuda.sh.
//
// usage: attnlab_device check [DEVICE]
//        attnlab_device speed [DEVICE [SIZE [fp32|bf16 [TOKENS [PEAK_TFLOPS]]]]]

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/device/check.h"
#include "experiments/training/benchmark.h"
#include "experiments/training/device.h"
#include "support/error.h"

namespace {

namespace training = attnlab::training;

constexpr int kSkipped = 77;  // what CTest takes for a skipped test
constexpr const char* kUsage =
    "usage: attnlab_device check [DEVICE]\n"
    "       attnlab_device speed [DEVICE [SIZE [fp32|bf16 [TOKENS [PEAK_TFLOPS]]]]]\n";

/// Tokens a second of training, with its share of the device's peak if that is known.
void speed(const std::string& device, const std::string& size, const std::string& precision, int64_t tokens,
           double peak_tflops) {
  training::BenchmarkOptions options;
  options.device = device;
  options.size = size;
  options.precision = training::precision(precision);
  options.batches = training::synthetic_batches(/*count=*/8, options.vocab, /*seed=*/1, tokens);
  options.warm_up = 8;
  options.steps_per_round = 8;
  const auto result = training::benchmark(options);
  const double tflops = result.operations_per_second / 1e12;
  fmt::print(
      "{:<6} {} {:>6} tokens a batch  {:>9.0f} tokens/s ({:.0f}-{:.0f})  {:>5.1f} % of the products  {:.2f} TFLOP/s of "
      "padded products",
      size, precision, tokens, result.tokens_per_second, result.slowest, result.fastest, 100 * result.ratio, tflops);
  if (peak_tflops > 0) fmt::print("  {:.1f} % of {:.0f}", 100 * tflops / peak_tflops, peak_tflops);
  fmt::print("\n");
}

/// A number that is all of `text` and at least `least`.
double number(const std::string& text, const std::string& name, double least) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= least && value <= 1e9))
    throw attnlab::Error(fmt::format("{}: expected a number of at least {}, got '{}'", name, least, text));
  return value;
}

int run(const std::vector<std::string>& arguments) {
  const auto argument = [&](size_t i, const std::string& otherwise) {
    return i < arguments.size() ? arguments[i] : otherwise;
  };
  const std::string what = argument(0, ""), device = argument(1, "auto");
  if (what == "check" && arguments.size() <= 2) {
    if (device == "cuda" && !torch::cuda::is_available()) {
      fmt::print("skipped: this LibTorch finds no CUDA device\n");
      return kSkipped;
    }
    const int failed = attnlab::device_check::check(training::choose_device(device));
    fmt::print("{}\n", failed == 0 ? "all agree with the CPU" : fmt::format("{} do not agree with the CPU", failed));
    return failed == 0 ? 0 : 1;
  }
  if (what == "speed" && arguments.size() <= 6) {
    speed(device, argument(2, "base"), argument(3, "bf16"),
          static_cast<int64_t>(number(argument(4, "4096"), "TOKENS", 28)), number(argument(5, "0"), "PEAK_TFLOPS", 0));
    return 0;
  }
  fmt::print(stderr, "{}", kUsage);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "attnlab_device: {}\n", error.what());
    return 1;
  }
}
