// Position methods inside attention: relative and rotary ones, against their formulas, against themselves at other
// positions, and through every kernel.

#include "modules/positions/relative.h"

#include <set>

#include "modules/attention/problems.h"
#include "modules/multi_head_attention.h"
#include "modules/positional_encoding.h"
#include "modules/positions/alibi.h"
#include "modules/positions/registry.h"
#include "modules/positions/t5.h"
#include "tests/modules/positions/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;
using torch::Tensor;

namespace {

/// The kernels that can work with a method.
std::vector<std::string> kernels_for(const std::string& type) {
  auto model = small_options();
  model.encoder_positions.type = model.decoder_positions.type = type;
  std::vector<std::string> kernels;
  for (const auto& variant : attention_variants()) {
    if (problems(variant, model).empty()) {
      kernels.push_back(variant.name);
    }
  }
  return kernels;
}

/// One layer's self-attention with the positions of its stack.
struct Layer {
  Layer(const TransformerOptions& model, const PositionOptions& options, Stack stack, int64_t layer)
      : positions(options, model, stack),
        attention(MultiHeadAttentionOptions(
            model, stack == Stack::encoder ? AttentionKind::encoder : AttentionKind::decoder, layer)) {}

  Tensor run(const Tensor& x, const Visible& visible, Context& context, int64_t first = 0,
             DecoderCache* cache = nullptr) {
    if (cache != nullptr) {
      cache->begin_step(x.size(0), x.size(1), /*memory_length=*/0, torch::kCPU);
    }
    return attention->forward(x, Sequence{visible, {first, x.size(1)}, positions.get(), {}},
                              cache != nullptr ? &cache->layer(0).self : nullptr, context);
  }

  /// For a cache of this one layer.
  ArrangedDecoder arranged() const { return {{{attention->arranged(), {}, {}}}, {}}; }

  PositionalEncoding positions;
  MultiHeadAttention attention;
};

struct Case {
  Case(const nlohmann::json& stored_, torch::ScalarType dtype_) : stored(stored_), dtype(dtype_) {}

  Layer make(const std::string& kernel) const {
    auto model = small_options();
    model.d_model = stored["d_model"];
    model.heads = stored["heads"];
    model.d_k = stored["d_k"];
    model.d_v = stored["d_v"];
    model.encoder_layers = model.decoder_layers = stored["layers"];
    model.attention = kernel;
    Layer layer(model, options_of(stored), causal() ? Stack::decoder : Stack::encoder, stored["layer"]);
    load(*layer.attention, stored["parameters"], dtype);
    load(*layer.positions, stored["positions"], dtype);
    return layer;
  }
  bool causal() const { return stored["kind"] == "causal"; }
  Tensor x() const { return tensor_of(stored["x"], dtype).requires_grad_(); }
  Visible visible() const {
    const auto lengths = torch::tensor(stored["lengths"].get<std::vector<int64_t>>());
    return causal() ? Visible::past() : Visible::tokens(valid_positions(lengths, stored["x"]["shape"][1], torch::kCPU));
  }

  nlohmann::json stored;
  torch::ScalarType dtype;
};

const std::vector<std::string>& methods_in_attention() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& variant : position_variants()) {
      if (variant.traits.acts_in_attention()) all.push_back(variant.name);
    }
    return all;
  }();
  return names;
}

PositionOptions near_options(const std::string& type) {
  PositionOptions options;
  options.type = type;
  options.max_distance = 3;
  options.buckets = 6;
  if (type == "t5") {
    options.max_distance = 7;
  }
  return options;
}

/// Two heads, or as many as asked for, with parameters that look random.
Layer scattered_layer(const PositionOptions& options, Stack stack, const std::string& kernel = "auto",
                      int64_t heads = 2) {
  auto model = small_options();
  model.d_model = 6;
  model.heads = heads;
  model.d_k = model.d_v = 4;
  model.attention = kernel;
  Layer layer(model, options, stack, 1);
  layer.attention->to(torch::kFloat64);
  layer.positions->to(torch::kFloat64);
  scatter_parameters(*layer.attention);
  scatter_parameters(*layer.positions);
  return layer;
}

}  // namespace

TEST_CASE("Relative and rotary positions agree with their formulas: outputs, weights and gradients") {
  for (const auto& stored : nlohmann::json(expected("positions.json")["attention"])) {
    for (const auto& kernel : kernels_for(stored["type"])) {
      for (const auto dtype : {torch::kFloat64, torch::kFloat32}) {
        INFO(stored["name"] << ", " << kernel << ", " << torch::toString(dtype));
        const double tolerance = dtype == torch::kFloat64 ? 1e-11 : 2e-5;
        const Case test(stored, dtype);
        auto layer = test.make(kernel);
        const auto x = test.x();
        Context context;
        const auto output = layer.run(x, test.visible(), context);
        CHECK(difference(output, tensor_of(stored["output"])) < tolerance);
        (output * tensor_of(stored["r"], dtype)).sum().backward();
        check_gradients(*layer.attention, stored["gradients"], tolerance);
        CHECK(difference(x.grad(), tensor_of(stored["gradients"]["x"])) < tolerance);
        for (const auto& parameter : layer.positions->named_parameters()) {
          INFO(parameter.key());
          const auto gradient = parameter.value().grad();
          CHECK(difference(gradient.defined() ? gradient : torch::zeros_like(parameter.value()),
                           tensor_of(stored["position_gradients"][parameter.key()])) < tolerance);
        }
        Recorder recorder;
        Context recording{nullptr, &recorder, nullptr};
        layer.run(x, test.visible(), recording);
        CHECK(difference(recorder.entries.at(0).weights, tensor_of(stored["weights"])) < tolerance);
      }
    }
  }
}

TEST_CASE("Every kernel gives the same output, and fits into the cached step of a decoder") {
  const torch::NoGradGuard no_grad;
  const auto x = scattered({2, 7, 6});
  const auto valid = valid_positions(torch::tensor({7, 4}), 7, torch::kCPU);
  for (const auto& type : methods_in_attention()) {
    for (const auto stack : {Stack::encoder, Stack::decoder}) {
      const auto visible = stack == Stack::encoder ? Visible::tokens(valid) : Visible::past();
      Context context;
      const auto whole = scattered_layer(near_options(type), stack, "explicit").run(x, visible, context);
      for (const auto& kernel : kernels_for(type)) {
        INFO(type << ", " << kernel);
        auto layer = scattered_layer(near_options(type), stack, kernel);
        CHECK(difference(layer.run(x, visible, context), whole) < 1e-13);
        if (stack == Stack::decoder) {
          const auto weights = layer.arranged();
          DecoderCache cache(weights);
          for (int64_t t = 0; t < 7; ++t) {
            const auto step = layer.run(x.narrow(1, t, 1), visible, context, t, &cache);
            CHECK(difference(step, whole.narrow(1, t, 1)) < 1e-13);
          }
        }
      }
    }
  }
}

TEST_CASE("Several tokens at once go into a cache as one by one") {
  const torch::NoGradGuard no_grad;
  const auto x = scattered({2, 9, 6});
  for (const auto& type : methods_in_attention()) {
    INFO(type);
    auto layer = scattered_layer(near_options(type), Stack::decoder);
    Context context;
    const auto whole = layer.run(x, Visible::past(), context);
    const auto weights = layer.arranged();
    DecoderCache cache(weights);
    layer.run(x.narrow(1, 0, 4), Visible::past(), context, 0, &cache);
    CHECK(difference(layer.run(x.narrow(1, 4, 5), Visible::past(), context, 4, &cache), whole.narrow(1, 4, 5)) < 1e-13);
  }
}

TEST_CASE("Only distances count: moving all positions changes nothing") {
  const torch::NoGradGuard no_grad;
  const auto x = scattered({2, 6, 6});
  for (const auto& type : methods_in_attention()) {
    for (const auto stack : {Stack::encoder, Stack::decoder}) {
      auto layer = scattered_layer(near_options(type), stack);
      const auto visible = stack == Stack::encoder ? Visible::everything() : Visible::past();
      Context context;
      const auto here = layer.run(x, visible, context);
      for (const int64_t first : {1, 17, 1000}) {
        INFO(type << ", from position " << first);
        CHECK(difference(layer.run(x, visible, context, first), here) < 1e-10);
      }
    }
  }
}

TEST_CASE("Order counts: each method tells the source from the same tokens in another order") {
  const torch::NoGradGuard no_grad;
  const auto x = scattered({1, 5, 6});
  for (const auto& type : methods_in_attention()) {
    INFO(type);
    auto layer = scattered_layer(near_options(type), Stack::encoder);
    Context context;
    const auto there = layer.run(x, Visible::everything(), context);
    const auto back = layer.run(x.flip(1), Visible::everything(), context).flip(1);
    // ALiBi alone does not know left from right in an encoder.
    CHECK((difference(there, back) > 1e-4) == (type != "alibi"));
    const auto order = torch::tensor({2, 0, 4, 1, 3});
    const auto moved = layer.run(x.index_select(1, order), Visible::everything(), context);
    CHECK(difference(moved, there.index_select(1, order)) > 1e-4);
  }
}

TEST_CASE("The gradients of positions in attention agree with differences") {
  const auto valid = valid_positions(torch::tensor({5, 3}), 5, torch::kCPU);
  for (const auto& type : methods_in_attention()) {
    for (const auto& kernel : kernels_for(type)) {
      for (const auto stack : {Stack::encoder, Stack::decoder}) {
        INFO(type << ", " << kernel);
        auto options = near_options(type);
        options.max_distance = type == "t5" ? 5 : 2;
        auto layer = scattered_layer(options, stack, kernel);
        const auto x = scattered({2, 5, 6}).requires_grad_();
        const auto visible = stack == Stack::encoder ? Visible::tokens(valid) : Visible::past();
        std::vector<Tensor> read = {x};
        for (const auto& parameter : layer.positions->named_parameters()) {
          if (parameter.key().find(".0") == std::string::npos) {  // the other layer's
            read.push_back(parameter.value());
          }
        }
        Context context;
        check_by_differences([&] { return layer.run(x, visible, context); }, read);
      }
    }
  }
}

TEST_CASE("Dropped weights drop the value term with them") {
  auto layer = scattered_layer(near_options("shaw"), Stack::encoder);
  auto model = small_options();
  model.d_model = 6;
  model.d_k = model.d_v = 4;
  model.dropout.attention = 0.5;
  MultiHeadAttention dropping(MultiHeadAttentionOptions(model, AttentionKind::encoder, 1));
  dropping->to(torch::kFloat64);
  scatter_parameters(*dropping);
  const auto x = scattered({1, 5, 6}).requires_grad_();
  const auto run = [&] {
    DropoutStream stream(1, 2, 3);
    Context context{&stream, nullptr, nullptr};
    return dropping->forward(x, Sequence{Visible::everything(), {0, 5}, layer.positions.get(), {}}, nullptr, context);
  };
  Context none;
  CHECK(difference(run(), layer.run(x, Visible::everything(), none)) > 1e-3);
  check_by_differences(run, {x, layer.positions->named_parameters()["method.values.1"]});
}

TEST_CASE("A query that may see nothing gets zeros with every method and kernel") {
  const auto valid = valid_positions(torch::tensor({0, 4}), 4, torch::kCPU);
  for (const auto& type : methods_in_attention()) {
    for (const auto& kernel : kernels_for(type)) {
      INFO(type << ", " << kernel);
      auto layer = scattered_layer(near_options(type), Stack::encoder, kernel);
      const auto x = scattered({2, 4, 6}).requires_grad_();
      Context context;
      const auto output = layer.run(x, Visible::tokens(valid), context);
      CHECK(output[0].abs().max().item<double>() == 0);
      CHECK(output[1].abs().min().item<double>() > 0);
      output.square().sum().backward();
      CHECK(all_finite(x.grad()));
      for (const auto& parameter : layer.positions->parameters()) {
        CHECK((!parameter.grad().defined() || all_finite(parameter.grad())));
      }
    }
  }
}

TEST_CASE("T5's buckets are those of its authors' code") {
  for (const auto& stored : nlohmann::json(expected("positions.json")["buckets"])) {
    const T5Buckets buckets{stored["bidirectional"], stored["buckets"], stored["max_distance"]};
    INFO(stored["bidirectional"] << " " << stored["buckets"] << " " << stored["max_distance"]);
    int64_t wrong = 0;
    const auto& starts = stored["starts"];
    for (size_t i = 0; i < starts.size(); ++i) {
      const int64_t end = i + 1 < starts.size() ? starts[i + 1][0] : stored["end"];
      for (int64_t distance = starts[i][0]; distance < end; ++distance) {
        wrong += buckets.of(distance) == starts[i][1] ? 0 : 1;
      }
    }
    CHECK(wrong == 0);
  }
  const T5Buckets causal{/*bidirectional=*/false};
  CHECK(causal.of(5) == 0);
  CHECK(causal.of(-15) == 15);
  CHECK(causal.of(-16) == 16);
  CHECK(causal.of(-128) == 31);
  CHECK(causal.of(-100000) == 31);
}

TEST_CASE("T5's one table serves every layer of its stack") {
  auto model = small_options();
  PositionalEncoding positions(near_options("t5"), model, Stack::encoder);
  positions->reset_parameters(Initializer(1));
  CHECK(positions->parameters().size() == 1);
  const auto q = torch::zeros({1, 2, 5, 4});
  CHECK(
      positions->positions().bias(0, q, q, {0, 5}, {0, 5}).equal(positions->positions().bias(1, q, q, {0, 5}, {0, 5})));
}

TEST_CASE("ALiBi's slopes, also for numbers of heads that are no power of two") {
  const auto known = expected("positions.json");
  for (const auto& [heads, slopes] : known["slopes"].items()) {
    INFO(heads << " heads");
    const auto ours = alibi_slopes(std::stoll(heads));
    REQUIRE(ours.size() == slopes.size());
    for (size_t i = 0; i < ours.size(); ++i) {
      CHECK(ours[i] == Approx(slopes[i].get<double>()).epsilon(1e-12));
    }
  }
  CHECK(alibi_slopes(12)[8] == Approx(0.70711).margin(5e-6));
  CHECK(alibi_slopes(12)[11] == Approx(0.08839).margin(5e-6));
}

TEST_CASE("ALiBi's bias: head by head, symmetric, and 0 on the diagonal") {
  PositionOptions options;
  options.type = "alibi";
  PositionalEncoding positions(options, small_options(), Stack::encoder);
  const auto q = torch::zeros({1, 2, 3, 4}, torch::kFloat64);
  const auto bias = positions->positions().bias(0, q, q, {0, 3}, {0, 3});
  const auto distance = torch::tensor({0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0}, torch::kFloat64).view({3, 3});
  CHECK(difference(bias[0], -distance / 16) == 0);
  CHECK(difference(bias[1], -distance / 256) == 0);
}

TEST_CASE("Rotary positions keep the length of a vector, and turn nothing at position 0") {
  for (const auto* layout : {"interleaved", "halves"}) {
    PositionOptions options;
    options.type = "rotary";
    options.layout = layout;
    PositionalEncoding positions(options, small_options(), Stack::encoder);
    const auto q = scattered({2, 2, 6, 4});
    const auto turned = positions->positions().rotate(q, {0, 6});
    CHECK(difference(turned.norm(2, -1), q.norm(2, -1)) < 1e-14);
    CHECK(difference(turned.select(2, 0), q.select(2, 0)) == 0);
    CHECK(difference(turned.select(2, 1), q.select(2, 1)) > 1e-3);
    // Angles of far positions are computed in double precision: single precision would be off by 0.01 there.
    const auto far = positions->positions().rotate(q.to(torch::kFloat32), {200'000, 6});
    CHECK(difference(far, positions->positions().rotate(q, {200'000, 6})) < 1e-6);
  }
}

TEST_CASE("Rows of distances and rows of keys are two views of the same numbers") {
  for (const auto& [queries, keys] : std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {1, 5}, {4, 4}, {2, 6}, {5, 2}}) {
    INFO(queries << " queries, " << keys << " keys");
    const int64_t count = queries + keys - 1;
    const auto range = distances({3, queries}, {1, keys});
    CHECK(range.first == 1 - (3 + queries - 1));
    CHECK(range.count == count);
    const auto x = scattered({2, queries, count});
    const auto by_key = from_distances(x, queries, keys);
    REQUIRE(by_key.sizes() == torch::IntArrayRef({2, queries, keys}));
    for (int64_t i = 0; i < queries; ++i) {
      for (int64_t j = 0; j < keys; ++j) {
        CHECK(by_key[1][i][j].item<double>() == x[1][i][j - i + queries - 1].item<double>());
      }
    }
    const auto back = to_distances(by_key);
    REQUIRE(back.sizes() == x.sizes());
    CHECK(from_distances(back, queries, keys).equal(by_key));
    CHECK(back.abs().sum().item<double>() == Approx(by_key.abs().sum().item<double>()));
    const auto one = scattered({3, count});
    CHECK(spread_distances(one, queries, keys)
              .equal(from_distances(one.unsqueeze(1).expand({3, queries, count}).contiguous(), queries, keys)));
  }
}
