// Encoder and decoder layers and the feed-forward network against Python torch's layers, in both placements, and by
// differences.

#include "modules/decoder_layer.h"
#include "modules/encoder_layer.h"
#include "tests/modules/kernels.h"
#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;
using torch::Tensor;

namespace {

TransformerOptions options_of(const nlohmann::json& stored) {
  auto options = small_options();
  options.d_model = stored["d_model"];
  options.heads = stored["heads"];
  options.d_ff = stored["d_ff"];
  options.activation = stored["activation"];
  options.attention_bias = stored["bias"];
  options.norm.placement = stored["placement"];
  return options;
}

Tensor valid_of(const nlohmann::json& stored, int64_t length) {
  return valid_positions(torch::tensor(stored["lengths"].get<std::vector<int64_t>>()), length, torch::kCPU);
}

void check_encoder(const nlohmann::json& stored, const std::string& kernel, torch::ScalarType dtype, double tolerance) {
  auto options = options_of(stored);
  options.attention = kernel;
  EncoderLayer layer(options, 0);
  load(*layer, stored["parameters"], dtype);
  const auto x = tensor_of(stored["x"], dtype).requires_grad_();
  const auto valid = valid_of(stored, x.size(1));
  Context context;
  const auto output = layer->forward(x, Sequence{Visible::tokens(valid), {0, x.size(1)}, nullptr, valid}, context);
  const auto rows = valid.unsqueeze(-1);
  CHECK(difference(output * rows, tensor_of(stored["output"]) * rows) < tolerance);
  (output * tensor_of(stored["r"], dtype)).sum().backward();
  check_gradients(*layer, stored["gradients"], tolerance);
  CHECK(difference(x.grad(), tensor_of(stored["gradients"]["x"])) < tolerance);
}

void check_decoder(const nlohmann::json& stored, const std::string& kernel, torch::ScalarType dtype, double tolerance) {
  auto options = options_of(stored);
  options.attention = kernel;
  DecoderLayer layer(options, 0);
  load(*layer, stored["parameters"], dtype);
  const auto x = tensor_of(stored["x"], dtype).requires_grad_(),
             memory = tensor_of(stored["memory"], dtype).requires_grad_();
  Context context;
  const Sequence sequence{Visible::past(), {0, x.size(1)}, nullptr, {}};
  const auto output =
      layer->forward(x, sequence, memory, Visible::tokens(valid_of(stored, memory.size(1))), nullptr, context);
  CHECK(difference(output, tensor_of(stored["output"])) < tolerance);
  (output * tensor_of(stored["r"], dtype)).sum().backward();
  check_gradients(*layer, stored["gradients"], tolerance);
  CHECK(difference(x.grad(), tensor_of(stored["gradients"]["x"])) < tolerance);
  CHECK(difference(memory.grad(), tensor_of(stored["gradients"]["memory"])) < tolerance);
}

}  // namespace

TEST_CASE("Layers agree with Python torch, post-LN and pre-LN") {
  for (const auto& stored : expected("layers.json")) {
    for (const auto& kernel : exact_kernels()) {
      for (const auto dtype : {torch::kFloat64, torch::kFloat32}) {
        INFO(stored["name"] << ", " << kernel << ", " << torch::toString(dtype));
        const auto check = stored["stack"] == "encoder" ? check_encoder : check_decoder;
        check(stored, kernel, dtype, dtype == torch::kFloat64 ? 1e-11 : 1e-5);
      }
    }
  }
}

TEST_CASE("The layers' gradients agree with differences, with every dropout on") {
  for (const auto* placement : {"post", "pre", "sandwich", "deep_norm"}) {
    INFO(placement);
    auto options = small_options();
    options.d_model = 4;
    options.d_ff = 5;
    options.norm.placement = placement;
    options.activation = "gelu";  // smooth, so that differences are right everywhere
    options.dropout = {0, 0.2, 0.3, 0.1};
    const auto x = scattered({1, 3, 4}).requires_grad_(), memory = scattered({1, 2, 4}, 0.4).requires_grad_();
    const Sequence sequence{Visible::past(), {0, 3}, nullptr, {}};

    EncoderLayer encoder_layer(options, 0);
    encoder_layer->to(torch::kFloat64);
    scatter_parameters(*encoder_layer);
    const auto encode = [&] {
      DropoutStream stream(5, 1, 0);
      Context context{&stream, nullptr, nullptr};
      return encoder_layer->forward(x, sequence, context);
    };
    check_by_differences(encode, leaves(*encoder_layer, {x}));

    DecoderLayer decoder_layer(options, 0);
    decoder_layer->to(torch::kFloat64);
    scatter_parameters(*decoder_layer);
    const auto decode = [&] {
      DropoutStream stream(5, 1, 0);
      Context context{&stream, nullptr, nullptr};
      return decoder_layer->forward(x, sequence, memory, Visible::everything(), nullptr, context);
    };
    check_by_differences(decode, leaves(*decoder_layer, {x, memory}));
  }
}

TEST_CASE("The feed-forward network is max(0, x W_1 + b_1) W_2 + b_2") {
  FeedForward network(FeedForwardOptions(2, 2));
  {
    const torch::NoGradGuard no_grad;
    network->named_parameters()["w_1"].copy_(torch::tensor({{1.0F, 0.0F}, {0.0F, 1.0F}}));
    network->named_parameters()["b_1"].copy_(torch::tensor({0.0F, -5.0F}));
    network->named_parameters()["w_2"].copy_(torch::tensor({{2.0F, 1.0F}, {0.0F, 3.0F}}));
    network->named_parameters()["b_2"].copy_(torch::tensor({0.5F, 0.25F}));
  }
  Context context;
  // x = (3, 4): inner (3, -1) -> (3, 0) -> (2*3 + 0.5, 0.25)
  CHECK(network->forward(torch::tensor({{3.0F, 4.0F}}), context).equal(torch::tensor({{6.5F, 0.25F}})));
}

TEST_CASE("The feed-forward network's gradients agree with differences") {
  for (const auto* activation : {"relu", "gelu"}) {
    FeedForwardOptions options(3, 4);
    options.activation = activation;
    FeedForward network(options);
    network->to(torch::kFloat64);
    scatter_parameters(*network);
    const auto x = scattered({2, 3}).requires_grad_();
    Context context;
    check_by_differences([&] { return network->forward(x, context); }, leaves(*network, {x}));
  }
}
