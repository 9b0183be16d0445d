// Norms and placements: by hand, against Python torch, by differences; DeepNorm's constants; BatchNorm's statistics.

#include <ATen/autocast_mode.h>

#include "modules/attention/visible.h"
#include "modules/decoder_layer.h"
#include "modules/encoder_layer.h"
#include "modules/norms/norm.h"
#include "modules/norms/registry.h"
#include "modules/sublayer.h"
#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;
using torch::Tensor;

namespace {

std::shared_ptr<Norm> norm_of(const std::string& name, int64_t d_model, double epsilon = 1e-5) {
  NormOptions options;
  options.epsilon = epsilon;
  return find_norm(name)->make(options, d_model);
}

Tensor valid_of(const nlohmann::json& lengths, int64_t length) {
  return valid_positions(torch::tensor(lengths.get<std::vector<int64_t>>()), length, torch::kCPU);
}

void check_norm(const nlohmann::json& stored, torch::ScalarType dtype, double tolerance) {
  const auto x = tensor_of(stored["x"], dtype).requires_grad_();
  const auto norm = norm_of(stored["norm"], x.size(-1), stored["epsilon"]);
  load(*norm, stored["parameters"], dtype);
  const auto valid = valid_of(stored["lengths"], x.size(1));
  const auto output = norm->forward(x, valid), rows = valid.unsqueeze(-1);
  CHECK(output.dtype() == x.dtype());
  CHECK(difference(output * rows, tensor_of(stored["output"]) * rows) < tolerance);
  (output * tensor_of(stored["r"], dtype)).sum().backward();
  check_gradients(*norm, stored["gradients"], tolerance);
  CHECK(difference(x.grad(), tensor_of(stored["gradients"]["x"])) < tolerance);
}

TransformerOptions options_of(const nlohmann::json& stored) {
  auto options = small_options();
  options.d_model = stored["d_model"];
  options.heads = stored["heads"];
  options.d_ff = stored["d_ff"];
  options.encoder_layers = stored["encoder_layers"];
  options.decoder_layers = stored["decoder_layers"];
  options.norm.type = stored["norm"];
  options.norm.placement = stored["placement"];
  options.norm.residual_scale = stored["residual_scale"];
  return options;
}

// The layer's output and its inputs, with loaded parameters.
struct LayerRun {
  std::shared_ptr<torch::nn::Module> layer;
  Tensor x, memory, output;
};

LayerRun run_layer(const nlohmann::json& stored, torch::ScalarType dtype) {
  LayerRun run;
  Context context;
  run.x = tensor_of(stored["x"], dtype).requires_grad_();
  const auto valid = valid_of(stored["lengths"], run.x.size(1));
  if (stored["stack"] == "encoder") {
    EncoderLayer layer(options_of(stored), 0);
    load(*layer, stored["parameters"], dtype);
    run.layer = layer.ptr();
    run.output = layer->forward(run.x, Sequence{Visible::tokens(valid), {0, run.x.size(1)}, nullptr, valid}, context);
    return run;
  }
  DecoderLayer layer(options_of(stored), 0);
  load(*layer, stored["parameters"], dtype);
  run.layer = layer.ptr();
  run.memory = tensor_of(stored["memory"], dtype).requires_grad_();
  const auto seen = Visible::tokens(valid_of(stored["source_lengths"], run.memory.size(1)));
  run.output = layer->forward(run.x, Sequence{Visible::past(), {0, run.x.size(1)}, nullptr, valid}, run.memory, seen,
                              /*cache=*/nullptr, context);
  return run;
}

void check_layer(const nlohmann::json& stored, torch::ScalarType dtype, double tolerance) {
  const auto run = run_layer(stored, dtype);
  const auto r = tensor_of(stored["r"], dtype);
  CHECK(difference(run.output * r.ne(0), tensor_of(stored["output"]) * r.ne(0)) < tolerance);
  (run.output * r).sum().backward();
  check_gradients(*run.layer, stored["gradients"], tolerance);
  CHECK(difference(run.x.grad(), tensor_of(stored["gradients"]["x"])) < tolerance);
  if (run.memory.defined()) {
    CHECK(difference(run.memory.grad(), tensor_of(stored["gradients"]["memory"])) < tolerance);
  }
}

PlacementScales deep(int64_t encoder_layers, int64_t decoder_layers, Stack stack) {
  auto options = small_options();
  options.norm.placement = "deep_norm";
  options.encoder_layers = encoder_layers;
  options.decoder_layers = decoder_layers;
  return placement_scales(options, stack);
}

}  // namespace

TEST_CASE("LayerNorm by hand") {
  // mean 2.5, variance 1.25
  const auto y = norm_of("layer_norm", 4)->forward(torch::tensor({1.0F, 2.0F, 3.0F, 4.0F}), {});
  const double deviation = std::sqrt(1.25 + 1e-5);
  CHECK(difference(y, torch::tensor({-1.5, -0.5, 0.5, 1.5}, torch::kFloat64) / deviation) < 1e-6);
}

TEST_CASE("RMSNorm by hand") {
  // mean square (9 + 16) / 2
  const auto y = norm_of("rms_norm", 2)->forward(torch::tensor({3.0F, 4.0F}), {});
  CHECK(difference(y, torch::tensor({3.0, 4.0}, torch::kFloat64) / std::sqrt(12.5 + 1e-5)) < 1e-6);
}

TEST_CASE("ScaleNorm by hand: every row gets the length sqrt(D), but one shorter than epsilon is not blown up") {
  const auto y =
      norm_of("scale_norm", 2, 0.1)->forward(torch::tensor({{3.0F, 4.0F}, {0.03F, 0.04F}, {0.0F, 0.0F}}), {});
  const auto expected = torch::tensor({{0.6, 0.8}, {0.3, 0.4}, {0.0, 0.0}}, torch::kFloat64) * std::sqrt(2.0);
  CHECK(difference(y, expected) < 1e-6);
}

TEST_CASE("BatchNorm by hand: statistics are of the rows that are no padding, and padding becomes 0") {
  const auto norm = norm_of("batch_norm", 2);
  // means 2 and 7, variances 1 and 4
  const auto y = norm->forward(torch::tensor({{{1.0F, 5.0F}, {3.0F, 9.0F}, {900.0F, 900.0F}}}),
                               torch::tensor({{true, true, false}}));
  const double first = 1 / std::sqrt(1 + 1e-5), second = 2 / std::sqrt(4 + 1e-5);
  CHECK(difference(y, torch::tensor({{{-first, -second}, {first, second}, {0.0, 0.0}}}, torch::kFloat64)) < 1e-6);
  // running = 0.9 * start + 0.1 * batch, the variances unbiased: 2 and 8
  CHECK(difference(norm->named_buffers()["running_mean"], torch::tensor({0.2, 0.7})) < 1e-6);
  CHECK(difference(norm->named_buffers()["running_var"], torch::tensor({1.1, 1.7})) < 1e-6);
}

TEST_CASE("Norms agree with Python torch, with padding and every epsilon") {
  for (const auto& stored : nlohmann::json(expected("norms.json")["norms"])) {
    for (const auto dtype : {torch::kFloat64, torch::kFloat32}) {
      INFO(stored["norm"] << ", epsilon " << stored["epsilon"] << ", " << torch::toString(dtype));
      check_norm(stored, dtype, dtype == torch::kFloat64 ? 1e-9 : 1e-5);
    }
  }
}

TEST_CASE("BatchNorm's running statistics and its evaluation agree with Python torch") {
  for (const auto& stored : nlohmann::json(expected("norms.json")["norms"])) {
    if (stored["norm"] != "batch_norm") {
      continue;
    }
    const auto x = tensor_of(stored["x"]), valid = valid_of(stored["lengths"], x.size(1));
    const auto norm = norm_of("batch_norm", x.size(-1), stored["epsilon"]);
    load(*norm, stored["parameters"], torch::kFloat64);
    norm->forward(x, valid);
    norm->forward(2 * x + 1, valid);
    norm->eval();
    const auto evaluated = norm->forward(x, valid);
    CHECK(difference(norm->named_buffers()["running_mean"], tensor_of(stored["running_mean"])) < 1e-9);
    CHECK(difference(norm->named_buffers()["running_var"], tensor_of(stored["running_var"])) < 1e-9);
    CHECK(difference(evaluated, tensor_of(stored["evaluated"])) < 1e-9);
    CHECK(norm->forward(x, {}).equal(evaluated));
  }
}

TEST_CASE("BatchNorm of fewer than two rows uses its running statistics and keeps them") {
  for (const auto& valid : {torch::tensor({{true, false}}), torch::tensor({{false, false}})}) {
    const auto norm = norm_of("batch_norm", 3);
    const auto x = scattered({1, 2, 3}, 0.3, torch::kFloat32).requires_grad_();
    const auto y = norm->forward(x, valid);
    CHECK(difference(y, x * valid.unsqueeze(-1) / std::sqrt(1 + 1e-5)) < 1e-6);
    y.square().sum().backward();
    CHECK(all_finite(x.grad()));
    CHECK(norm->named_buffers()["running_mean"].eq(0).all().item<bool>());
    CHECK(norm->named_buffers()["running_var"].eq(1).all().item<bool>());
  }
}

TEST_CASE("BatchNorm's statistics go where the module goes") {
  const auto norm = norm_of("batch_norm", 2);
  norm->to(torch::kFloat64);
  norm->forward(scattered({1, 4, 2}), {});
  CHECK(norm->named_buffers()["running_mean"].dtype() == torch::kFloat64);
  CHECK(norm->named_buffers()["running_mean"].abs().max().item<double>() > 0);
  norm->reset_parameters(Initializer(1));
  CHECK(norm->named_buffers()["running_mean"].eq(0).all().item<bool>());
  CHECK(norm->named_buffers()["running_var"].eq(1).all().item<bool>());
}

TEST_CASE("Layers agree with the papers' formulas in every norm and placement") {
  for (const auto& stored : nlohmann::json(expected("norms.json")["layers"])) {
    for (const auto dtype : {torch::kFloat64, torch::kFloat32}) {
      INFO(stored["stack"] << ", " << stored["norm"] << ", " << stored["placement"] << ", residual "
                           << stored["residual_scale"] << ", " << torch::toString(dtype));
      check_layer(stored, dtype, dtype == torch::kFloat64 ? 1e-9 : 1e-5);
    }
  }
}

TEST_CASE("The norm's epsilon is the one that is set") {
  const auto y = norm_of("layer_norm", 2, 1.0)->forward(torch::tensor({-1.0F, 1.0F}), {});
  CHECK(difference(y, torch::tensor({-1.0, 1.0}, torch::kFloat64) / std::sqrt(2.0)) < 1e-6);
  for (const auto& variant : norm_variants()) {
    INFO(variant.name);
    const auto x = scattered({2, 3, 4}, 0, torch::kFloat32) * 0.1;
    const auto coarse = norm_of(variant.name, 4, 0.9), fine = norm_of(variant.name, 4, 1e-5);
    CHECK(difference(coarse->forward(x, {}), fine->forward(x, {})) > 1e-2);
  }
}

TEST_CASE("Every norm's gradients agree with differences, with and without padding") {
  for (const auto& variant : norm_variants()) {
    for (const auto& valid : {Tensor(), torch::tensor({{true, true, false}, {true, true, true}})}) {
      INFO(variant.name << ", padding " << valid.defined());
      const auto norm = variant.make({}, 5);
      norm->to(torch::kFloat64);
      scatter_parameters(*norm);
      const auto x = scattered({2, 3, 5}).requires_grad_();
      const auto rows = valid.defined() ? valid.unsqueeze(-1) : torch::ones({2, 3, 1}, torch::kBool);
      check_by_differences([&] { return norm->forward(x, valid) * rows; }, leaves(*norm, {x}));
    }
  }
}

TEST_CASE("ScaleNorm's gradients agree with differences in rows that are shorter than epsilon") {
  const auto norm = norm_of("scale_norm", 5, 0.7);
  norm->to(torch::kFloat64);
  const auto x =
      (scattered({2, 2, 5}) * torch::tensor({{{1.0}, {0.1}}, {{0.2}, {1.0}}}, torch::kFloat64)).requires_grad_();
  check_by_differences([&] { return norm->forward(x, {}); }, leaves(*norm, {x}));
}

TEST_CASE("Norms over rows give the same numbers for every number of threads and any strides") {
  const int threads = at::get_num_threads();
  for (const auto* name : {"rms_norm", "scale_norm"}) {
    const auto run = [&](int count, const Tensor& given) {
      at::set_num_threads(count);
      const auto norm = norm_of(name, 24);
      const auto x = given.detach().requires_grad_();
      const auto y = norm->forward(x, {});
      (y * y.detach().sin()).sum().backward();
      at::set_num_threads(threads);
      return torch::cat({y.detach().flatten(), x.grad().flatten(), norm->parameters().front().grad().flatten()});
    };
    const auto x = scattered({7, 50, 24}, 0.2, torch::kFloat32);
    CHECK(run(1, x).equal(run(2, x)));
    CHECK(run(1, x.transpose(0, 1).contiguous().transpose(0, 1)).equal(run(1, x)));
  }
}

TEST_CASE("Norms take bfloat16 rows, as under autocast, and stay near float32") {
  for (const auto& variant : norm_variants()) {
    INFO(variant.name);
    const auto x = scattered({3, 4, 8}, 0.2, torch::kFloat32);
    const auto exact = norm_of(variant.name, 8)->forward(x, {});
    const auto rough_x = x.to(torch::kBFloat16).requires_grad_();
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::set_autocast_enabled(at::kCPU, true);
    const auto rough = norm_of(variant.name, 8)->forward(rough_x, {});
    at::autocast::set_autocast_enabled(at::kCPU, false);
    at::autocast::clear_cache();
    CHECK(difference(rough, exact) < 0.03);
    rough.square().sum().backward();
    CHECK(rough_x.grad().dtype() == torch::kBFloat16);
    const auto narrow = norm_of(variant.name, 8);
    narrow->to(torch::kBFloat16);
    const auto narrow_y = narrow->forward(x.to(torch::kBFloat16), {});
    CHECK(narrow_y.dtype() == torch::kBFloat16);
    CHECK(difference(narrow_y, exact) < 0.05);
  }
}

TEST_CASE("Placements put the parts in their order, with and without a residual scale") {
  auto options = small_options();
  Context context;
  const auto x = scattered({1, 2, 8});
  const auto triple = [](const Tensor& y) { return y * 3; };
  const auto norm = [](const Tensor& y) { return torch::layer_norm(y, {8}); };
  const auto run = [&](const char* placement, double residual_scale = 0, Stack stack = Stack::encoder) {
    options.norm.placement = placement;
    options.norm.residual_scale = residual_scale;
    AddNorm add_norm(options, stack);
    add_norm->to(torch::kFloat64);
    return add_norm->forward(x, triple, {}, context);
  };
  CHECK(difference(run("post"), norm(x + 3 * x)) < 1e-12);
  CHECK(difference(run("pre"), x + 3 * norm(x)) < 1e-12);
  CHECK(difference(run("sandwich"), x + norm(3 * norm(x))) < 1e-12);
  // two layers each: N^4 M = 32, 3M = 6
  CHECK(difference(run("deep_norm"), norm(0.81 * std::pow(32, 0.0625) * x + 3 * x)) < 1e-12);
  CHECK(difference(run("deep_norm", 0, Stack::decoder), norm(std::pow(6, 0.25) * x + 3 * x)) < 1e-12);
  CHECK(difference(run("post", 2), norm(2 * x + 3 * x)) < 1e-12);
  CHECK(difference(run("pre", 2), 2 * x + 3 * norm(x)) < 1e-12);
  CHECK(difference(run("sandwich", 2), 2 * x + norm(3 * norm(x))) < 1e-12);
  CHECK(difference(run("deep_norm", 2), norm(2 * x + 3 * x)) < 1e-12);
}

TEST_CASE("DeepNorm's constants by hand") {
  // One layer each: 1^(1/16); 3^(1/4), 12^(-1/4).
  CHECK(deep(1, 1, Stack::encoder).residual == Approx(0.81));
  CHECK(deep(1, 1, Stack::encoder).initial == Approx(0.87));
  CHECK(deep(1, 1, Stack::decoder).residual == Approx(1.3160740));
  CHECK(deep(1, 1, Stack::decoder).initial == Approx(0.5372850));
  // N = 2, M = 4096: N^4 M = 2^16, its 16th root is 2.
  CHECK(deep(2, 4096, Stack::encoder).residual == Approx(1.62));
  CHECK(deep(2, 4096, Stack::encoder).initial == Approx(0.435));
  // M = 27: 3M = 3^4; 12M = 324 = 18^2, so beta = 1 / sqrt(18).
  CHECK(deep(5, 27, Stack::decoder).residual == Approx(3));
  CHECK(deep(5, 27, Stack::decoder).initial == Approx(1 / std::sqrt(18.0)));
  // The paper's base depth: 6^(5/16) = 1.750543; 18^(1/4), 72^(-1/4).
  CHECK(deep(6, 6, Stack::encoder).residual == Approx(1.417940));
  CHECK(deep(6, 6, Stack::encoder).initial == Approx(0.496989));
  CHECK(deep(6, 6, Stack::decoder).residual == Approx(2.059767));
  CHECK(deep(6, 6, Stack::decoder).initial == Approx(0.343295));
}

TEST_CASE("Scales that are set replace the placement's own; without them only DeepNorm has some") {
  for (const auto& placement : placement_variants()) {
    INFO(placement.name);
    auto options = small_options();
    options.norm.placement = placement.name;
    const bool has_own = placement.name == "deep_norm";
    CHECK((placement_scales(options, Stack::encoder).residual != 1) == has_own);
    CHECK((placement_scales(options, Stack::decoder).initial != 1) == has_own);
    const auto own = placement_scales(options, Stack::encoder);
    options.norm.residual_scale = 3;
    CHECK(placement_scales(options, Stack::encoder).residual == 3);
    CHECK(placement_scales(options, Stack::encoder).initial == own.initial);
    options.norm.initial_scale = 0.25;
    CHECK(placement_scales(options, Stack::decoder).initial == 0.25);
  }
}

TEST_CASE("The residual add's gradients agree with differences, with dropout and a residual scale") {
  for (const auto& placement : placement_variants()) {
    INFO(placement.name);
    auto options = small_options();
    options.norm.placement = placement.name;
    options.norm.residual_scale = 1.3;
    options.dropout.residual = 0.3;
    AddNorm add_norm(options, Stack::decoder);
    add_norm->to(torch::kFloat64);
    scatter_parameters(*add_norm);
    const auto x = scattered({1, 3, 8}).requires_grad_();
    const auto run = [&] {
      DropoutStream stream(1, 1, 0);
      Context context{&stream, nullptr, nullptr};
      return add_norm->forward(
          x, [](const Tensor& y) { return y.sin(); }, {}, context);
    };
    check_by_differences(run, leaves(*add_norm, {x}));
  }
}
