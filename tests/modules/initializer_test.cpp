// Initialisation: the distributions of the paper's followers, one stream a parameter.

#include "modules/initializer.h"

#include "modules/norms/registry.h"
#include "modules/transformer.h"
#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;

namespace {

TransformerOptions wide_options() {
  auto options = small_options();
  options.d_model = 64;
  options.heads = 4;
  options.d_k = 8;
  options.d_ff = 96;
  options.attention_bias = true;
  options.tying = "none";
  options.source_vocab = options.target_vocab = 500;
  options.encoder_positions.type = "learned";
  options.encoder_positions.max_length = 300;
  options.encoder_layers = options.decoder_layers = 1;
  return options;
}

void check_uniform(const torch::Tensor& parameter) {
  const double limit = std::sqrt(6.0 / static_cast<double>(parameter.size(0) + parameter.size(1)));
  const auto x = parameter.detach().to(torch::kFloat64) / limit;
  const double n = static_cast<double>(x.numel());
  CHECK(x.abs().max().item<double>() <= 1 + 1e-6);
  CHECK(x.abs().max().item<double>() > 0.99);
  CHECK(std::abs(x.mean().item<double>()) < 4.5 / std::sqrt(3 * n));
  CHECK(x.var().item<double>() == Approx(1.0 / 3).epsilon(0.05));
}

double largest(const torch::Tensor& parameter) {
  const double limit = std::sqrt(6.0 / static_cast<double>(parameter.size(0) + parameter.size(1)));
  return parameter.abs().max().item<double>() / limit;
}

// The factor of W_V, W_O and the feed-forward matrices; W_Q and W_K keep theirs.
void check_scale(Transformer& model, const std::string& stack, double scale) {
  for (const auto& parameter : model->named_parameters()) {
    const auto name = parameter.key().substr(parameter.key().rfind('.') + 1);
    if (parameter.key().rfind(stack, 0) == 0 && name.rfind("w_", 0) == 0) {
      INFO(parameter.key());
      const double wanted = name == "w_q" || name == "w_k" ? 1 : scale;
      CHECK(largest(parameter.value()) <= wanted * (1 + 1e-6));
      CHECK(largest(parameter.value()) > wanted * 0.99);
    }
  }
}

void check_normal(const torch::Tensor& parameter) {
  const auto x = parameter.detach().to(torch::kFloat64) * std::sqrt(static_cast<double>(parameter.size(1)));
  CHECK(std::abs(x.mean().item<double>()) < 4.5 / std::sqrt(static_cast<double>(x.numel())));
  CHECK(x.var().item<double>() == Approx(1).epsilon(0.05));
  CHECK(x.pow(4).mean().item<double>() == Approx(3).epsilon(0.1));
}

}  // namespace

TEST_CASE("Matrices are Xavier uniform each on its own, tables N(0, 1/D), biases 0, gains 1") {
  Transformer model(wide_options());
  model->reset_parameters(7);
  for (const auto& parameter : model->named_parameters()) {
    INFO(parameter.key());
    const auto name = parameter.key().substr(parameter.key().rfind('.') + 1);
    if (name.rfind("w_", 0) == 0) {
      check_uniform(parameter.value());
    } else if (name == "source_embedding" || name == "target_embedding" || name == "output" || name == "table") {
      check_normal(parameter.value());
    } else if (name == "gain") {
      CHECK(parameter.value().eq(1).all().item<bool>());
    } else {
      CHECK(parameter.value().eq(0).all().item<bool>());
    }
  }
}

TEST_CASE("Placements scale the start of W_V, W_O and the feed-forward matrices, and of nothing else") {
  auto options = wide_options();
  for (const auto& placement : placement_variants()) {
    INFO(placement.name);
    options.norm.placement = placement.name;
    options.norm.initial_scale = 0;
    const bool deep = placement.name == "deep_norm";  // one layer each: 0.87 and 12^(-1/4)
    Transformer model(options);
    model->reset_parameters(7);
    check_scale(model, "encoder.", deep ? 0.87 : 1);
    check_scale(model, "decoder.", deep ? 0.5372850 : 1);
    options.norm.initial_scale = 0.25;
    Transformer scaled(options);
    scaled->reset_parameters(7);
    check_scale(scaled, "encoder.", 0.25);
    check_scale(scaled, "decoder.", 0.25);
    for (const auto* name :
         {"source_embedding", "output", "encoder_positions.method.table", "decoder.layers.0.cross_attention.w_q"}) {
      CHECK(scaled->named_parameters()[name].equal(model->named_parameters()[name]));
    }
  }
}

TEST_CASE("ScaleNorm's gain starts at sqrt(D), the gains of all others at 1") {
  for (const auto& norm : norm_variants()) {
    INFO(norm.name);
    auto options = wide_options();
    options.norm.type = norm.name;
    Transformer model(options);
    scatter_parameters(*model);
    model->reset_parameters(7);
    const auto gain = model->named_parameters()["decoder.layers.0.cross_attention_add_norm.norm.gain"];
    CHECK(gain.eq(norm.name == "scale_norm" ? 8 : 1).all().item<bool>());
  }
}

TEST_CASE("Initialisation overwrites everything and depends on the seed, not on threads or other parameters") {
  const int threads = at::get_num_threads();
  Transformer a(wide_options());
  at::set_num_threads(1);
  a->reset_parameters(7);
  Transformer b(wide_options());
  at::set_num_threads(2);
  scatter_parameters(*b);
  b->reset_parameters(7);
  at::set_num_threads(threads);
  for (const auto& parameter : a->named_parameters()) {
    INFO(parameter.key());
    CHECK(parameter.value().equal(b->named_parameters()[parameter.key()]));
  }

  auto deeper_options = wide_options();
  deeper_options.encoder_layers = 3;
  Transformer deeper(deeper_options), other(wide_options());
  deeper->reset_parameters(7);
  other->reset_parameters(8);
  const std::string name = "decoder.layers.0.cross_attention.w_k";
  CHECK(deeper->named_parameters()[name].equal(a->named_parameters()[name]));
  CHECK_FALSE(other->named_parameters()[name].equal(a->named_parameters()[name]));
  const std::string sibling = "decoder.layers.0.self_attention.w_k";
  CHECK_FALSE(a->named_parameters()[sibling].equal(a->named_parameters()[name]));
}

TEST_CASE("Seed 0 and the largest seeds are seeds like others") {
  std::vector<torch::Tensor> drawn;
  for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 31U, uint64_t{1} << 63U, ~uint64_t{0}}) {
    auto x = torch::zeros({40, 40});
    Initializer(seed).xavier_uniform(x, "x");
    check_uniform(x);
    for (const auto& earlier : drawn) {
      CHECK_FALSE(earlier.equal(x));
    }
    drawn.push_back(x);
  }
}
