// The whole model: against Python torch, what it consists of, and its start.

#include "modules/transformer.h"

#include <set>

#include "tests/modules/kernels.h"
#include "tests/modules/models.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;
using torch::Tensor;

namespace {

Tensor ids_of(const nlohmann::json& rows) {
  std::vector<Tensor> stacked;
  for (const auto& row : rows) {
    stacked.push_back(torch::tensor(row.get<std::vector<int64_t>>()));
  }
  return torch::stack(stacked);
}

Tensor lengths_of(const nlohmann::json& lengths) {
  return torch::tensor(lengths.get<std::vector<int64_t>>());
}

int64_t parameters_named(const torch::nn::Module& model, const std::string& prefix, const std::string& part) {
  int64_t count = 0;
  for (const auto& name : model.named_parameters().keys()) {
    count += name.rfind(prefix, 0) == 0 && name.find(part) != std::string::npos ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("The whole model agrees with Python torch, with padding on both sides") {
  for (const auto& stored : expected("models.json")) {
    for (const auto& kernel : exact_kernels()) {
      for (const auto dtype : {torch::kFloat64, torch::kFloat32}) {
        INFO(stored["name"] << ", " << kernel << ", " << torch::toString(dtype));
        auto options = small_options();
        options.d_model = stored["d_model"];
        options.heads = stored["heads"];
        options.d_ff = stored["d_ff"];
        options.encoder_layers = options.decoder_layers = stored["layers"];
        options.source_vocab = options.target_vocab = stored["vocab"];
        options.norm.placement = stored["placement"];
        options.tying = stored["tying"];
        options.scale_embeddings = stored["scaled"];
        options.encoder_positions = options.decoder_positions = {stored["positions"], /*max_length=*/7, "error"};
        options.attention = kernel;
        Transformer model(options);
        load(*model, stored["parameters"], dtype);
        const double tolerance = dtype == torch::kFloat64 ? 1e-10 : 1e-5;
        const auto r = tensor_of(stored["r"], dtype);
        Context context;
        const auto logits = model->forward(ids_of(stored["source"]), lengths_of(stored["source_lengths"]),
                                           ids_of(stored["target"]), lengths_of(stored["target_lengths"]), context);
        CHECK(difference(logits * r.ne(0), tensor_of(stored["logits"]) * r.ne(0)) < tolerance);
        (logits * r).sum().backward();
        check_gradients(*model, stored["gradients"], tolerance);
      }
    }
  }
}

TEST_CASE("Tied weights are one tensor, also after a move to another precision") {
  for (const auto* tying : {"three_way", "two_way", "none"}) {
    auto options = small_options();
    options.tying = tying;
    auto model = built(options, torch::kFloat32);
    std::set<std::string> names;
    for (const auto& name : model->named_parameters(/*recurse=*/false).keys()) {
      names.insert(name);
    }
    if (options.tying == "three_way") {
      CHECK(names == std::set<std::string>{"source_embedding"});
    } else if (options.tying == "two_way") {
      CHECK(names == std::set<std::string>{"source_embedding", "target_embedding"});
    } else {
      CHECK(names == std::set<std::string>{"output", "source_embedding", "target_embedding"});
    }
    // The output projection reads the matrix that is said to be shared: what changes it changes the logits.
    const torch::NoGradGuard no_grad;
    model->to(torch::kFloat64);
    const auto states = scattered({3, 8});
    const auto* shared = options.tying == "three_way" ? "source_embedding"
                         : options.tying == "two_way" ? "target_embedding"
                                                      : "output";
    auto matrix = model->named_parameters()[shared];
    matrix.copy_(scattered({11, 8}, 0.3));
    CHECK(difference(model->logits(states), states.matmul(scattered({11, 8}, 0.3).t())) < 1e-12);
    CHECK(model->parameters().size() == model->named_parameters().size());
  }
}

TEST_CASE(
    "Post-LN and DeepNorm have a norm after each sub-layer and none at the end; pre-LN one more for each stack; "
    "sandwich two for each sub-layer and one more") {
  for (const auto* placement : {"post", "pre", "sandwich", "deep_norm"}) {
    auto options = small_options();
    options.encoder_layers = 3;
    options.norm.placement = placement;
    auto model = built(options);
    const bool sandwich = options.norm.placement == "sandwich";
    const int64_t extra = options.norm.placement == "pre" || sandwich ? 1 : 0, each = sandwich ? 2 : 1;
    CHECK(parameters_named(*model, "encoder.", "gain") == each * 2 * 3 + extra);
    CHECK(parameters_named(*model, "decoder.", "gain") == each * 3 * 2 + extra);
  }
}

TEST_CASE("At the start both stacks' outputs have mean 0 and variance 1 in every row with LayerNorm in any placement") {
  const torch::NoGradGuard no_grad;
  for (const auto& options : variants()) {
    if (options.norm.type != "layer_norm") {
      continue;
    }
    INFO(name_of(options));
    auto model = built(options);
    Context context;
    const auto memory = model->encode(torch::tensor({{3, 4, 5, 2}}), torch::tensor({4}), context);
    const auto states = model->decode(torch::tensor({{1, 4, 5}}), torch::tensor({3}), memory, context);
    for (const auto& x : {memory.states, states}) {
      CHECK(x.mean(-1).abs().max().item<double>() < 1e-6);
      CHECK(difference(x.var(-1, /*unbiased=*/false), torch::ones({x.size(0), x.size(1)})) < 1e-3);
    }
  }
}

TEST_CASE("Impossible options are refused when a model is built") {
  auto options = small_options();
  options.target_vocab = 12;
  CHECK_THROWS_AS(Transformer(options), attnlab::Error);
  options.tying = "two_way";
  CHECK_NOTHROW(Transformer(options));
  options.heads = 3;
  CHECK_THROWS_AS(Transformer(options), attnlab::Error);
}
