// A kernel of another kind than the registered ones, to show what a variant can bring: parameters, another function
// than the paper's, and places where it cannot stand.

#include "modules/attention/problems.h"
#include "modules/multi_head_attention.h"
#include "modules/transformer.h"
#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;
using torch::Tensor;

namespace {

/// The mean of all values, times a learned number for each head: no queries, no keys, no weights.
class MeanKernel : public AttentionKernel {
 public:
  explicit MeanKernel(int64_t heads) { gain = register_parameter("gain", torch::zeros(heads)); }

  Attended forward(const Tensor& q, const Tensor&, const Tensor& v, const AttentionCall&) override {
    const auto mean = v.mean(2, /*keepdim=*/true) * gain.view({1, -1, 1, 1});  // [B, H, 1, d_v]
    return {mean.expand({-1, -1, q.size(2), -1}), {}, {}};
  }
  void reset_parameters(const Initializer& initializer) override { initializer.normal(gain, "gain", 1); }

 private:
  Tensor gain;  // [H]
};

AttentionVariant mean_variant() {
  return {"mean",
          "the mean of all values, times a learned number for each head",
          "",
          {.exact = false, .rotary = false, .causal = false},
          [](const MultiHeadAttentionOptions& o) -> std::shared_ptr<AttentionKernel> {
            return std::make_shared<MeanKernel>(o.heads);
          },
          [](const MultiHeadAttentionOptions& o) { return o.heads; },
          [](const MultiHeadAttentionOptions& o) {
            return o.d_v == 4 ? std::vector<std::string>() : std::vector<std::string>{"d_v: expected 4."};
          }};
}

MultiHeadAttention built(const AttentionVariant& variant, MultiHeadAttentionOptions options = {8, 2}) {
  options.variant = &variant;
  MultiHeadAttention attention(options);
  attention->reset_parameters(Initializer(7).at("here"));
  return attention;
}

bool contains(const std::vector<std::string>& problems, const std::string& part) {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const auto& problem) { return problem.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("A kernel's parameters stand below `kernel`, are drawn there, and are counted") {
  const auto variant = mean_variant();
  auto attention = built(variant);
  const auto parameters = attention->named_parameters();
  REQUIRE(parameters.contains("kernel.gain"));
  auto drawn = torch::zeros(2);
  Initializer(7).at("here").at("kernel").normal(drawn, "gain", 1);
  CHECK(parameters["kernel.gain"].equal(drawn));
  CHECK(drawn.abs().min().item<float>() > 0);
  MultiHeadAttention without(MultiHeadAttentionOptions(8, 2));
  without->reset_parameters(Initializer(7).at("here"));
  CHECK(without->named_parameters()["w_q"].equal(parameters["w_q"]));  // no other parameter's numbers move

  auto model = small_options();
  model.encoder_layers = 3;
  const int64_t attentions = model.encoder_layers + 2 * model.decoder_layers;
  CHECK(parameter_count(model, variant) == parameter_count(model) + attentions * model.heads);
  int64_t count = 0, plain_count = 0;
  for (const auto& parameter : attention->parameters()) {
    count += parameter.numel();
  }
  for (const auto& parameter : without->parameters()) {
    plain_count += parameter.numel();
  }
  CHECK(count - plain_count == variant.parameters({8, 2}));
}

TEST_CASE("A kernel with parameters learns") {
  const auto variant = mean_variant();
  auto attention = built(variant);
  attention->to(torch::kFloat64);
  scatter_parameters(*attention);
  const auto x = scattered({2, 3, 8}).requires_grad_();
  Context context;
  const Sequence sequence{Visible::everything(), {0, 3}, nullptr, {}};
  check_by_differences([&] { return attention->forward(x, sequence, nullptr, context); },
                       {x, attention->named_parameters()["kernel.gain"], attention->named_parameters()["w_v"]});
}

TEST_CASE("Of a kernel without weights nothing is recorded, and its output stays") {
  const torch::NoGradGuard no_grad;
  const auto variant = mean_variant();
  auto attention = built(variant);
  const auto x = scattered({2, 3, 8}, 0.1, torch::kFloat32), memory = scattered({2, 4, 8}, 0.2, torch::kFloat32);
  const auto run = [&](AttentionRecorder* recorder) {
    Context context{nullptr, recorder, nullptr};
    const Sequence sequence{Visible::everything(), {0, 3}, nullptr, {}};
    return torch::cat({attention->forward(x, sequence, nullptr, context),
                       attention->forward(x, memory, Visible::everything(), nullptr, context)});
  };
  Recorder recorder;
  CHECK(run(&recorder).equal(run(nullptr)));
  CHECK(recorder.entries.empty());
}

TEST_CASE("What a kernel cannot do is refused, by its traits and by what it says itself") {
  const auto variant = mean_variant();
  const auto of = [&](const std::function<void(TransformerOptions&)>& change) {
    auto options = small_options();
    change(options);
    return problems(variant, options);
  };
  const auto found = of([](auto&) {});
  REQUIRE(found.size() == 1);
  CHECK(found.front() == "attention: \"mean\" cannot stand in decoder self-attention; use \"auto\" or \"explicit\".");
  CHECK(contains(of([](auto& o) { o.dropout.attention = 0.1; }), "attention: \"mean\" cannot drop attention weights"));
  CHECK(contains(of([](auto& o) { o.encoder_positions.type = "alibi"; }),
                 "takes no term of relative positions, which encoder_positions.type \"alibi\" needs"));
  CHECK(contains(of([](auto& o) { o.decoder_positions.type = "shaw"; }),
                 "does not give its weights, which decoder_positions.type \"shaw\" needs"));
  CHECK(contains(of([](auto& o) { o.decoder_positions.type = "rotary"; }),
                 "takes no turned queries and keys, which decoder_positions.type \"rotary\" makes"));
  const auto wide = of([](auto& o) { o.d_v = 5; });
  CHECK(std::count(wide.begin(), wide.end(), "d_v: expected 4.") == 1);  // once, not for each of the three attentions
}

TEST_CASE("Every registered kernel has as many parameters as it says") {
  for (const auto& variant : attention_variants()) {
    for (const auto kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
      INFO(variant.name);
      const MultiHeadAttentionOptions options(small_options(), kind, 1);
      int64_t count = 0;
      for (const auto& parameter : variant.make(options)->parameters()) {
        count += parameter.numel();
      }
      CHECK(count == (variant.parameters != nullptr ? variant.parameters(options) : 0));
    }
  }
}
