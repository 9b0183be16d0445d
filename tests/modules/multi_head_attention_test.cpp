// Multi-head attention against Python torch (values, weights and gradients), and what it records.

#include "modules/multi_head_attention.h"

#include "tests/modules/kernels.h"
#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;
using torch::Tensor;

namespace {

struct Case {
  explicit Case(const nlohmann::json& stored_, torch::ScalarType dtype_) : stored(stored_), dtype(dtype_) {}

  MultiHeadAttention make(const std::string& kernel) const {
    MultiHeadAttentionOptions options(stored["d_model"], stored["heads"]);
    options.d_k = stored["d_k"];
    options.d_v = stored["d_v"];
    options.bias = stored["bias"];
    options.kernel = kernel;
    MultiHeadAttention attention(options);
    load(*attention, stored["parameters"], dtype);
    return attention;
  }

  Visible visible(int64_t keys) const {
    if (stored["kind"] == "causal") {
      return Visible::past();
    }
    return stored["lengths"].is_null()
               ? Visible::everything()
               : Visible::tokens(
                     valid_positions(torch::tensor(stored["lengths"].get<std::vector<int64_t>>()), keys, torch::kCPU));
  }

  Tensor run(MultiHeadAttention& attention, const Tensor& x, const Tensor& memory, Context& context) const {
    if (memory.defined()) {
      return attention->forward(x, memory, visible(memory.size(1)), nullptr, context);
    }
    return attention->forward(x, Sequence{visible(x.size(1)), {0, x.size(1)}, nullptr, {}}, nullptr, context);
  }

  Tensor input(const char* name) const {
    return stored.contains(name) ? tensor_of(stored[name], dtype).requires_grad_() : Tensor();
  }

  nlohmann::json stored;
  torch::ScalarType dtype;
};

MultiHeadAttentionOptions two_heads() {
  MultiHeadAttentionOptions options(4, 2);
  options.d_k = 3;
  options.bias = true;
  return options;
}

}  // namespace

TEST_CASE("Attention agrees with Python torch") {
  for (const auto& stored : expected("attention.json")) {
    for (const auto& kernel : exact_kernels()) {
      for (const auto dtype : {torch::kFloat64, torch::kFloat32}) {
        INFO(stored["name"] << ", " << kernel << ", " << torch::toString(dtype));
        const double tolerance = dtype == torch::kFloat64 ? 1e-11 : 1e-5;
        const Case test(stored, dtype);
        auto attention = test.make(kernel);
        const auto x = test.input("x"), memory = test.input("memory");
        Context context;
        const auto output = test.run(attention, x, memory, context);
        CHECK(difference(output, tensor_of(stored["output"])) < tolerance);
        (output * tensor_of(stored["r"], dtype)).sum().backward();
        check_gradients(*attention, stored["gradients"], tolerance);
        CHECK(difference(x.grad(), tensor_of(stored["gradients"]["x"])) < tolerance);
        if (memory.defined()) {
          CHECK(difference(memory.grad(), tensor_of(stored["gradients"]["memory"])) < tolerance);
        }
      }
    }
  }
}

TEST_CASE("Recorded weights agree with Python torch and change nothing") {
  const torch::NoGradGuard no_grad;
  for (const auto& stored : expected("attention.json")) {
    for (const auto& kernel : exact_kernels()) {
      INFO(stored["name"] << ", " << kernel);
      const Case test(stored, torch::kFloat64);
      auto attention = test.make(kernel);
      attention->eval();
      Recorder recorder;
      Context plain, recording{nullptr, &recorder, nullptr};
      const auto x = test.input("x"), memory = test.input("memory");
      CHECK(test.run(attention, x, memory, recording).equal(test.run(attention, x, memory, plain)));
      REQUIRE(recorder.entries.size() == 1);
      CHECK(difference(recorder.entries[0].weights, tensor_of(stored["weights"])) < 1e-12);
      CHECK_FALSE(recorder.entries[0].weights.requires_grad());
    }
  }
}

TEST_CASE("Attention's gradients agree with differences") {
  MultiHeadAttention attention(two_heads());
  attention->to(torch::kFloat64);
  scatter_parameters(*attention);
  const auto x = scattered({2, 3, 4}).requires_grad_(), memory = scattered({2, 2, 4}, 0.7).requires_grad_();
  Context context;
  const Sequence causal{Visible::past(), {0, 3}, nullptr, {}};
  check_by_differences([&] { return attention->forward(x, causal, nullptr, context); }, leaves(*attention, {x}));
  const auto visible = Visible::tokens(valid_positions(torch::tensor({1, 2}), 2, torch::kCPU));
  check_by_differences([&] { return attention->forward(x, memory, visible, nullptr, context); },
                       leaves(*attention, {x, memory}));
}

TEST_CASE("A gate of 0 removes a head, a gate of 1 leaves it") {
  auto options = two_heads();
  options.kind = AttentionKind::cross;
  MultiHeadAttention attention(options);
  attention->to(torch::kFloat64);
  scatter_parameters(*attention);
  const auto x = scattered({1, 3, 4}), memory = scattered({1, 2, 4}, 0.7);
  const auto run = [&](const HeadGates* gates) {
    Context context{nullptr, nullptr, gates};
    return attention->forward(x, memory, Visible::everything(), nullptr, context);
  };
  HeadGates gates;
  gates.cross = torch::ones({1, 2});
  CHECK(difference(run(&gates), run(nullptr)) < 1e-15);
  gates.cross = torch::tensor({{1.0F, 0.0F}});
  const auto gated = run(&gates);
  CHECK(difference(gated, run(nullptr)) > 1e-3);
  torch::NoGradGuard no_grad;
  attention->named_parameters()["w_o"].narrow(1, 2, 2).zero_();  // the second head's part of W_O
  CHECK(difference(run(nullptr), gated) < 1e-15);
}

TEST_CASE("Weights recorded while training sum to 1, although some are dropped") {
  auto options = two_heads();
  options.dropout = 0.5;
  for (const auto* kernel : {"explicit", "auto"}) {
    options.kernel = kernel;
    MultiHeadAttention attention(options);
    scatter_parameters(*attention);
    DropoutStream stream(1, 1, 0);
    Recorder recorder;
    Context context{&stream, &recorder, nullptr};
    attention->forward(scattered({2, 5, 4}, 0, torch::kFloat32), Sequence{Visible::past(), {0, 5}, nullptr, {}},
                       nullptr, context);
    REQUIRE(recorder.entries.size() == 1);
    CHECK(difference(recorder.entries[0].weights.sum(-1), torch::ones({2, 2, 5})) < 1e-6);
    attention->forward(scattered({2, 5, 4}, 0, torch::kFloat32), scattered({2, 1, 4}, 0, torch::kFloat32),
                       Visible::everything(), nullptr, context);
    CHECK(recorder.entries[1].weights.equal(torch::ones({2, 2, 5, 1})));  // a single key
  }
}

TEST_CASE("A cache gives what the whole sequence gives, also after its room is used up") {
  MultiHeadAttention attention(two_heads());
  attention->to(torch::kFloat64);
  scatter_parameters(*attention);
  const torch::NoGradGuard no_grad;
  Context context;
  const int64_t length = 40;
  const auto x = scattered({2, length, 4});
  const auto whole = attention->forward(x, Sequence{Visible::past(), {0, length}, nullptr, {}}, nullptr, context);
  const ArrangedDecoder weights{{{attention->arranged(), {}, {}}}, {}};
  DecoderCache cache(weights);
  for (int64_t t = 0; t < length; ++t) {
    cache.begin_step(/*rows=*/2, /*count=*/1, /*memory_length=*/0, torch::kCPU);
    const auto next = attention->forward(x.narrow(1, t, 1), Sequence{Visible::past(), {t, 1}, nullptr, {}},
                                         &cache.layer(0).self, context);
    CHECK(difference(next, whole.narrow(1, t, 1)) < 1e-12);
  }
  CHECK(cache.layer(0).self.pool.keys_of_rows(2).sizes() == torch::IntArrayRef({2, 2, length, 3}));
}
