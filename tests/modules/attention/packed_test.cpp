// Attention in packed rows against the explicit kernel: values, gradients, masks and dropout.

#include "modules/attention/packed.h"

#include <ATen/Parallel.h>

#include "modules/attention/explicit_kernel.h"
#include "modules/cpu/attention.h"
#include "modules/multi_head_attention.h"
#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;
using torch::Tensor;

namespace {

struct Sizes {
  int64_t batch, heads, queries, keys, d_k, d_v;
};

struct Inputs {
  explicit Inputs(const Sizes& s, bool self) {
    const int64_t key_width = s.heads * s.d_k, value_width = s.heads * s.d_v;
    const auto make = [](std::vector<int64_t> shape, double phase) {
      return (scattered(std::move(shape), phase, torch::kFloat32) * 2).requires_grad_();
    };
    packed = {make({s.batch, s.queries, self ? 2 * key_width + value_width : key_width}, 0.3),
              self ? Tensor() : make({s.batch, s.keys, key_width + value_width}, 0.7), s.heads, s.d_k, s.d_v};
  }

  std::vector<Tensor> leaves() const {
    return packed.self() ? std::vector<Tensor>{packed.queries} : std::vector<Tensor>{packed.queries, packed.memory};
  }

  // The same by the explicit kernel, on copies of the heads.
  Tensor explicitly(const AttentionCall& call) const {
    const int64_t key_width = packed.heads * packed.d_k, value_width = packed.heads * packed.d_v;
    const auto all = packed.self() ? packed.queries : torch::cat({packed.queries.narrow(-1, 0, key_width)}, -1);
    const auto memory = packed.self() ? all.narrow(-1, key_width, key_width + value_width) : packed.memory;
    const auto heads = [&](const Tensor& x, int64_t width) {
      return x.reshape({x.size(0), x.size(1), packed.heads, width}).transpose(1, 2);
    };
    const auto output = ExplicitKernel()
                            .forward(heads(all.narrow(-1, 0, key_width), packed.d_k),
                                     heads(memory.narrow(-1, 0, key_width), packed.d_k),
                                     heads(memory.narrow(-1, key_width, value_width), packed.d_v), call)
                            .output;
    return output.transpose(1, 2).reshape({output.size(0), output.size(2), value_width});
  }

  PackedHeads packed;
};

std::vector<Tensor> results(const Inputs& inputs, const Tensor& output) {
  std::vector<Tensor> all{output};
  const auto r = scattered(output.sizes().vec(), 1.3, torch::kFloat32);
  for (const auto& gradient : torch::autograd::grad({(output * r).sum()}, inputs.leaves())) {
    all.push_back(gradient);
  }
  return all;
}

std::vector<Tensor> packed_results(const Inputs& inputs, const Visible& visible, double rate) {
  DropoutStream stream(5, 6, 7);
  stream.next();  // some place, not the first
  const AttentionCall call{visible, {}, rate, &stream};
  REQUIRE(can_pack(inputs.packed, call));
  return results(inputs, packed_attention(inputs.packed, call));
}

void compare(const Inputs& inputs, const Visible& visible, double rate) {
  DropoutStream stream(5, 6, 7);
  stream.next();
  const auto expected_results = results(inputs, inputs.explicitly({visible, {}, rate, &stream}));
  const auto actual = packed_results(inputs, visible, rate);
  for (size_t i = 0; i < actual.size(); ++i) {
    INFO("result " << i);
    const double size = std::max(1.0, expected_results[i].abs().max().item<double>());
    CHECK(difference(actual[i], expected_results[i]) < 3e-6 * size);
  }
}

Visible tokens(const std::vector<int64_t>& lengths, int64_t keys) {
  return Visible::tokens(valid_positions(torch::tensor(lengths), keys, torch::kCPU));
}

bool able() {
  if (!cpu::has_attention()) {
    WARN("skipped: this processor has neither AVX2 nor AVX-512");
  }
  return cpu::has_attention();
}

}  // namespace

TEST_CASE("Packed self-attention agrees with the explicit kernel") {
  if (!able()) return;
  const Sizes sizes[] = {{3, 4, 7, 7, 32, 32},   {3, 3, 37, 37, 16, 48}, {3, 1, 1, 1, 64, 16},
                         {3, 5, 16, 16, 64, 64}, {3, 2, 50, 50, 32, 80}, {3, 3, 33, 33, 112, 16},
                         {3, 4, 17, 17, 8, 8},   {3, 2, 5, 5, 1, 3},     {3, 2, 40, 40, 20, 33}};
  for (const auto& s : sizes) {
    for (const double rate : {0.0, 0.3}) {
      INFO("T " << s.queries << ", d_k " << s.d_k << ", d_v " << s.d_v << ", rate " << rate);
      const Inputs inputs(s, /*self=*/true);
      compare(inputs, Visible::everything(), rate);
      compare(inputs, Visible::past(), rate);
      compare(inputs, tokens({s.keys, 0, (s.keys + 1) / 2}, s.keys), rate);
    }
  }
}

TEST_CASE("Packed cross-attention agrees with the explicit kernel") {
  if (!able()) return;
  const Sizes sizes[] = {{3, 4, 7, 9, 32, 32},  {3, 3, 19, 70, 16, 32}, {3, 2, 40, 1, 32, 16}, {3, 7, 1, 33, 16, 16},
                         {3, 2, 18, 5, 48, 64}, {3, 8, 18, 21, 4, 4},   {3, 2, 9, 30, 24, 16}};
  for (const auto& s : sizes) {
    for (const double rate : {0.0, 0.3}) {
      INFO("Tq " << s.queries << ", Tk " << s.keys << ", d_k " << s.d_k << ", d_v " << s.d_v << ", rate " << rate);
      const Inputs inputs(s, /*self=*/false);
      compare(inputs, Visible::everything(), rate);
      compare(inputs, tokens({s.keys, 0, (s.keys + 1) / 2}, s.keys), rate);
      compare(inputs, Visible::past(), rate);  // as a step of a cache sees it; more queries than keys: some see nothing
    }
  }
}

TEST_CASE("Who may see nothing gets zeros from packed attention") {
  if (!able()) return;
  const Inputs inputs({2, 2, 3, 5, 16, 16}, /*self=*/false);
  const auto actual = packed_results(inputs, tokens({0, 4}, 5), 0.2);
  CHECK(actual[0][0].abs().max().item<float>() == 0);
  CHECK(actual[0][1].abs().max().item<float>() > 0);
  for (const auto& result : actual) {
    CHECK(all_finite(result));
  }
  CHECK(actual[2][0].abs().max().item<float>() == 0);     // its keys and values get no gradient
  CHECK(actual[2][1][4].abs().max().item<float>() == 0);  // nor does padding
}

TEST_CASE("Padding may hold anything: packed attention does not read it") {
  if (!able()) return;
  const Inputs inputs({2, 2, 3, 21, 16, 16}, /*self=*/false);
  const auto before = packed_results(inputs, tokens({19, 21}, 21), 0.2);
  {
    const torch::NoGradGuard no_grad;
    inputs.packed.memory[0].narrow(0, 19, 2).fill_(NAN);
  }
  const auto after = packed_results(inputs, tokens({19, 21}, 21), 0.2);
  for (size_t i = 0; i < before.size(); ++i) {
    CHECK(before[i].equal(after[i]));
  }
}

TEST_CASE("A query that is not a number shows in the packed output") {
  if (!able()) return;
  const Inputs inputs({1, 1, 2, 18, 16, 16}, /*self=*/false);
  const torch::NoGradGuard no_grad;
  inputs.packed.queries[0][1][3] = NAN;
  const auto output = packed_attention(inputs.packed, {Visible::everything()});
  CHECK(all_finite(output[0][0]));
  CHECK(output[0][1].isnan().all().item<bool>());
}

TEST_CASE("Packed attention gives the same bits again, and for every number of threads") {
  if (!able()) return;
  const int threads = at::get_num_threads();
  const Inputs inputs({5, 3, 30, 30, 32, 16}, /*self=*/true);
  std::vector<std::vector<Tensor>> all;
  for (const int count : {1, 1, 2, 3}) {
    at::set_num_threads(count);
    all.push_back(packed_results(inputs, Visible::past(), 0.1));
  }
  at::set_num_threads(threads);
  for (const auto& other : all) {
    for (size_t i = 0; i < other.size(); ++i) {
      CHECK(other[i].equal(all[0][i]));
    }
  }
}

TEST_CASE("Packed attention computes in float32 where projections are bfloat16") {
  if (!able()) return;
  const Inputs inputs({2, 2, 9, 9, 16, 16}, /*self=*/true);
  const auto rounded = inputs.packed.queries.detach().to(torch::kBFloat16).requires_grad_();
  auto as_float = inputs, as_bfloat = inputs;
  as_float.packed.queries = rounded.detach().to(torch::kFloat32).requires_grad_();
  as_bfloat.packed.queries = rounded;
  const AttentionCall call{tokens({9, 4}, 9)};
  REQUIRE(can_pack(as_bfloat.packed, call));
  const auto expected_output = packed_attention(as_float.packed, call),
             output = packed_attention(as_bfloat.packed, call);
  CHECK(output.scalar_type() == torch::kBFloat16);
  CHECK(output.equal(expected_output.to(torch::kBFloat16)));
  const auto r = scattered(output.sizes().vec(), 1.3, torch::kFloat32).to(torch::kBFloat16);
  const auto gradient = torch::autograd::grad({output}, {rounded}, {r})[0];
  const auto expected_gradient =
      torch::autograd::grad({expected_output}, {as_float.packed.queries}, {r.to(torch::kFloat32)})[0];
  CHECK(gradient.equal(expected_gradient.to(torch::kBFloat16)));
}

TEST_CASE("Without padding packed attention gives the same numbers and drops the same weights") {
  if (!able()) return;
  const auto lengths = torch::tensor({7, 0, 20}), memory_lengths = torch::tensor({3, 5, 33});
  for (const bool self : {true, false}) {
    for (const double rate : {0.0, 0.3}) {
      INFO((self ? "self" : "cross") << ", rate " << rate);
      const Inputs padded({3, 2, 20, self ? 20 : 33, 32, 16}, self);
      const TokenRows rows(lengths, 20, torch::kCPU), memory_rows(memory_lengths, 33, torch::kCPU);
      Inputs dense = padded;
      dense.packed.queries = rows.gather(padded.packed.queries.detach()).requires_grad_();
      dense.packed.query_rows = &rows;
      dense.packed.memory_rows = self ? &rows : &memory_rows;
      if (!self) dense.packed.memory = memory_rows.gather(padded.packed.memory.detach()).requires_grad_();
      const auto visible = self ? Visible::past() : tokens({3, 5, 33}, 33);
      const auto run = [&](const Inputs& inputs) {
        DropoutStream stream(5, 6, 7);
        return packed_attention(inputs.packed, {visible, {}, rate, &stream});
      };
      const auto expected_output = rows.gather(run(padded)), output = run(dense);
      CHECK(difference(output, expected_output) < 1e-6);
      const auto r = scattered(output.sizes().vec(), 1.3, torch::kFloat32);
      const auto expected_gradients = torch::autograd::grad({(expected_output * r).sum()}, padded.leaves());
      const auto gradients = torch::autograd::grad({(output * r).sum()}, dense.leaves());
      CHECK(difference(gradients[0], rows.gather(expected_gradients[0])) < 1e-5);
      if (!self) CHECK(difference(gradients[1], memory_rows.gather(expected_gradients[1])) < 1e-5);
    }
  }
}

TEST_CASE("A part of a batch drops the weights that it would drop in the whole") {
  if (!able()) return;
  const Inputs whole({5, 2, 9, 9, 16, 16}, /*self=*/true);
  for (const bool packed : {true, false}) {
    const auto run = [&](const Inputs& inputs, int64_t first_sentence) {
      DropoutStream stream(5, 6, 7, first_sentence);
      const AttentionCall call{Visible::past(), {}, 0.3, &stream};
      return packed ? packed_attention(inputs.packed, call) : inputs.explicitly(call);
    };
    Inputs part = whole;
    part.packed.queries = whole.packed.queries.narrow(0, 2, 3);
    CHECK(difference(run(part, 2), run(whole, 0).narrow(0, 2, 3)) < 1e-6);
  }
}

TEST_CASE("Packed attention is refused where it cannot do what is asked") {
  const Sizes sizes{2, 2, 3, 3, 16, 16};
  const AttentionCall plain{Visible::everything()};
  CHECK(can_pack(Inputs(sizes, true).packed, plain) == cpu::has_attention());
  CHECK_FALSE(can_pack(Inputs(sizes, true).packed, {Visible::everything(), torch::zeros({1, 1, 3, 3})}));
  auto doubles = Inputs(sizes, true).packed;
  doubles.queries = doubles.queries.to(torch::kFloat64);
  CHECK_FALSE(can_pack(doubles, plain));
}

TEST_CASE("A module trains alike with the packed operation and with the explicit kernel") {
  if (!able()) return;
  for (const bool bias : {false, true}) {
    MultiHeadAttentionOptions options(48, 3);
    options.bias = bias;
    options.dropout = 0.2;
    const auto x = scattered({2, 9, 48}, 0.2, torch::kFloat32) * 0.3,
               memory = scattered({2, 6, 48}, 0.9, torch::kFloat32) * 0.3;
    const auto visible = tokens({6, 3}, 6);
    std::vector<std::vector<Tensor>> both;
    for (const auto* kernel : {"auto", "explicit"}) {
      options.kernel = kernel;
      MultiHeadAttention attention(options);
      scatter_parameters(*attention);
      DropoutStream stream(1, 2, 3);
      Context context{&stream};
      const auto self =
          attention->forward(x, Sequence{Visible::past(), {0, 9}, nullptr, {}}, /*cache=*/nullptr, context);
      const auto cross = attention->forward(x, memory, visible, /*cache=*/nullptr, context);
      auto found = torch::autograd::grad({(self + cross * cross).sum()}, attention->parameters());
      found.push_back(self);
      found.push_back(cross);
      both.push_back(found);
    }
    double size = 1;  // one for all: the gradient of b_k is 0 but for rounding
    for (const auto& expected_tensor : both[1]) {
      size = std::max(size, expected_tensor.abs().max().item<double>());
    }
    for (size_t i = 0; i < both[0].size(); ++i) {
      CHECK(difference(both[0][i], both[1][i]) < 1e-5 * size);
    }
  }
}
