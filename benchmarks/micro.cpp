// Micro-benchmarks: each operation of ours beside LibTorch's own way of doing the same, on one thread.
// Usage: attnlab_microbench [--benchmark_filter=dropout]; every peer's name ends in /torch.

#include <string>

#include <benchmark/benchmark.h>
#include <malloc.h>

#include "experiments/data/batches.h"
#include "experiments/decoding/top_k.h"
#include "experiments/training/loss.h"
#include "modules/arranged_linear.h"
#include "modules/attention/one_query.h"
#include "modules/attention/packed.h"
#include "modules/dropout.h"
#include "modules/norms/norm.h"
#include "modules/norms/registry.h"
#include "modules/torch.h"

namespace {

namespace decoding = attnlab::decoding;
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
  projected_loss(state, [](const auto& states, const auto& weight, const auto& labels) {
    return at::cross_entropy_loss(at::linear(states, weight), labels, {}, at::Reduction::Sum, /*ignore_index=*/-100,
                                  /*label_smoothing=*/0.1);
  });
}
BENCHMARK(loss_torch)->Name("loss/torch")->Arg(128)->Arg(512)->Unit(benchmark::kMillisecond);

/// Self-attention of the decoder with dropout, forward and backward, from the projections to the input of W_O:
/// 128 sentences of 32 tokens, 8 heads of width state.range(0).
template <typename Attention>
void attention(benchmark::State& state, Attention attend) {
  constexpr int64_t heads = 8;
  const int64_t width = state.range(0);
  const torch::Tensor projected = torch::randn({kTokens / 32, 32, 3 * heads * width}).requires_grad_();
  const torch::Tensor gradient = torch::randn({kTokens / 32, 32, heads * width});
  for (auto _ : state) attend(projected, heads, width).backward(gradient);
  state.SetItemsProcessed(state.iterations() * kTokens);
}

void attention_packed(benchmark::State& state) {
  attention(state, [](const torch::Tensor& projected, int64_t heads, int64_t width) {
    modules::DropoutStream stream(/*seed=*/1, /*step=*/1, /*micro_batch=*/0);
    const modules::AttentionCall call{modules::Visible::past(), {}, 0.1, &stream};
    return modules::packed_attention({projected, {}, heads, width, width}, call);
  });
}
BENCHMARK(attention_packed)->Name("attention")->Arg(16)->Arg(64)->Unit(benchmark::kMillisecond);

void attention_torch(benchmark::State& state) {
  attention(state, [](const torch::Tensor& projected, int64_t heads, int64_t width) {
    const auto parts = projected.view({projected.size(0), projected.size(1), 3, heads, width}).unbind(2);
    const auto of_heads = [&](size_t i) { return parts[i].transpose(1, 2); };
    return torch::scaled_dot_product_attention(of_heads(0), of_heads(1), of_heads(2), {}, 0.1, /*is_causal=*/true)
        .transpose(1, 2)
        .flatten(2);
  });
}
BENCHMARK(attention_torch)->Name("attention/torch")->Arg(16)->Arg(64)->Unit(benchmark::kMillisecond);

/// A norm of 512 elements, forward and backward.
template <typename Normalise>
void norm(benchmark::State& state, Normalise normalise) {
  const torch::Tensor x = torch::randn({kTokens, 512}).requires_grad_(), gradient = torch::randn({kTokens, 512});
  for (auto _ : state) normalise(x).backward(gradient);
  state.SetItemsProcessed(state.iterations() * x.numel());
}

void norm_of_type(benchmark::State& state, const std::string& type) {
  const auto made = modules::find_norm(type)->make({}, 512);
  norm(state, [&](const torch::Tensor& x) { return made->forward(x, {}); });
}
BENCHMARK_CAPTURE(norm_of_type, rms_norm, "rms_norm")->Name("norm/rms_norm")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(norm_of_type, layer_norm, "layer_norm")->Name("norm/layer_norm")->Unit(benchmark::kMillisecond);

void rms_norm_torch(benchmark::State& state) {
  const torch::Tensor gain = torch::ones(512).requires_grad_();
  norm(state, [&](const torch::Tensor& x) { return at::rms_norm(x, {512}, gain, 1e-5); });
}
BENCHMARK(rms_norm_torch)->Name("norm/rms_norm/torch")->Unit(benchmark::kMillisecond);

/// The best 5 of 10,000 pieces for each of 320 hypotheses (64 sentences), as a step of beam search needs them.
void beam_step(benchmark::State& state) {
  const torch::Tensor logits = torch::randn({320, kVocab});
  for (auto _ : state) benchmark::DoNotOptimize(decoding::log_softmax_top_k(logits, 5));
  state.SetItemsProcessed(state.iterations() * logits.size(0));
}
BENCHMARK(beam_step)->Unit(benchmark::kMillisecond);

void beam_step_torch(benchmark::State& state) {
  const torch::Tensor logits = torch::randn({320, kVocab});
  for (auto _ : state) benchmark::DoNotOptimize(torch::log_softmax(logits, -1).topk(5));
  state.SetItemsProcessed(state.iterations() * logits.size(0));
}
BENCHMARK(beam_step_torch)->Name("beam_step/torch")->Unit(benchmark::kMillisecond);

/// One step's attention of 128 rows to 24 keys each in four heads of 32, in float32: straight from the pool, and from
/// copies for each row, as beam search would need them at every step.
struct StepAttention {
  StepAttention() {
    pool.keys = torch::randn({128 * 24, 256}).narrow(1, 0, 128);
    pool.values = torch::randn({128 * 24, 256}).narrow(1, 128, 128);
    pool.places = torch::randint(0, 128 * 24, {128, 24});
  }
  torch::Tensor q = torch::randn({128, 4, 1, 32});
  modules::KeyPool pool;
};

void step_attention(benchmark::State& state) {
  const c10::InferenceMode inference;
  const StepAttention step;
  for (auto _ : state) benchmark::DoNotOptimize(modules::attend_one_query(step.q, step.pool, {}));
  state.SetItemsProcessed(state.iterations() * step.q.size(0));
}
BENCHMARK(step_attention)->Unit(benchmark::kMicrosecond);

void step_attention_torch(benchmark::State& state) {
  const c10::InferenceMode inference;
  const StepAttention step;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        at::scaled_dot_product_attention(step.q, step.pool.keys_of_rows(4), step.pool.values_of_rows(4)));
  }
  state.SetItemsProcessed(state.iterations() * step.q.size(0));
}
BENCHMARK(step_attention_torch)->Name("step_attention/torch")->Unit(benchmark::kMicrosecond);

/// The product of state.range(0) rows of 128 numbers with the output matrix.
void output_product(benchmark::State& state) {
  const c10::InferenceMode inference;
  const torch::Tensor x = torch::randn({state.range(0), 128});
  const modules::ArrangedLinear matrix(torch::randn({kVocab, 128}));
  for (auto _ : state) benchmark::DoNotOptimize(matrix.times(x));
  state.SetItemsProcessed(state.iterations() * x.size(0));
}
BENCHMARK(output_product)->Arg(1)->Arg(24)->Arg(128)->Unit(benchmark::kMicrosecond);

void output_product_torch(benchmark::State& state) {
  const c10::InferenceMode inference;
  const torch::Tensor x = torch::randn({state.range(0), 128}), weight = torch::randn({kVocab, 128});
  for (auto _ : state) benchmark::DoNotOptimize(torch::linear(x, weight));
  state.SetItemsProcessed(state.iterations() * x.size(0));
}
BENCHMARK(output_product_torch)->Name("output_product/torch")->Arg(1)->Arg(24)->Arg(128)->Unit(benchmark::kMicrosecond);

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
