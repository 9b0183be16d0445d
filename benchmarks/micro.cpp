// Micro-benchmarks: each operation of ours beside LibTorch's own way of doing the same, on one thread.
// Usage: attnlab_microbench [--benchmark_filter=dropout]; every peer's name ends in /torch.

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <torch/torch.h>

#include "experiments/data/batches.h"
#include "experiments/training/benchmark.h"
#include "experiments/training/loss.h"
#include "modules/dropout.h"

namespace {

namespace modules = attnlab::modules;
namespace training = attnlab::training;
namespace data = attnlab::data;

constexpr int64_t kTokens = 4096;
constexpr int64_t kVocab = 10000;

void dropout(benchmark::State& state) {
  const torch::Tensor x = torch::randn({kTokens, 512});
  for (auto _ : state) {
    modules::DropoutStream stream(/*seed=*/1, /*step=*/1, /*micro_batch=*/0);
    benchmark::DoNotOptimize(modules::dropout(x, 0.1, &stream));
  }
  state.SetItemsProcessed(state.iterations() * x.numel());
}
BENCHMARK(dropout)->Unit(benchmark::kMillisecond);

void dropout_torch(benchmark::State& state) {
  const torch::Tensor x = torch::randn({kTokens, 512});
  for (auto _ : state) benchmark::DoNotOptimize(torch::dropout(x, 0.1, /*train=*/true));
  state.SetItemsProcessed(state.iterations() * x.numel());
}
BENCHMARK(dropout_torch)->Name("dropout/torch")->Unit(benchmark::kMillisecond);

/// Projection to the vocabulary and smoothed cross-entropy, forward and backward, for D = state.range(0).
template <typename Loss>
void projected_loss(benchmark::State& state, Loss loss) {
  const torch::Tensor states = torch::randn({kTokens, state.range(0)}).requires_grad_();
  const torch::Tensor weight = (torch::randn({kVocab, state.range(0)}) * 0.05).requires_grad_();
  const torch::Tensor labels = torch::randint(1, kVocab, {kTokens});
  for (auto _ : state) loss(states, weight, labels).backward();
  state.SetItemsProcessed(state.iterations() * kTokens);
}

void loss(benchmark::State& state) {
  const auto smoothed = training::smoothed_target(training::SmoothingRule::vocab, 0.1, kVocab, /*pad_id=*/0);
  projected_loss(state, [&](const auto& states, const auto& weight, const auto& labels) {
    return training::projected_cross_entropy(states, weight, labels, smoothed);
  });
}
BENCHMARK(loss)->Arg(128)->Arg(512)->Unit(benchmark::kMillisecond);

void loss_torch(benchmark::State& state) {
  namespace F = torch::nn::functional;
  projected_loss(state, [](const auto& states, const auto& weight, const auto& labels) {
    return F::cross_entropy(F::linear(states, weight), labels,
                            F::CrossEntropyFuncOptions().label_smoothing(0.1).reduction(torch::kSum));
  });
}
BENCHMARK(loss_torch)->Name("loss/torch")->Arg(128)->Arg(512)->Unit(benchmark::kMillisecond);

/// Ordering one epoch of 29,000 pairs into batches and padding them all.
void batcher(benchmark::State& state) {
  std::vector<data::EncodedPair> pairs(29000);
  for (size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].source.assign(5 + i * 7 % 25, 5);
    pairs[i].target.assign(5 + i * 11 % 27, 6);
  }
  uint64_t epoch = 0;
  for (auto _ : state) {
    for (const auto& rows : data::epoch_batches(pairs, kTokens, /*seed=*/1, ++epoch)) {
      benchmark::DoNotOptimize(data::make_batch(pairs, rows, /*pad=*/0, /*bos=*/2));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(pairs.size()));
}
BENCHMARK(batcher)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);  // as the program itself does
  mallopt(M_TRIM_THRESHOLD, -1);
  at::set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
