// The whole model: against Python torch, and the properties that no Transformer may break.

#include "modules/transformer.h"

#include <map>
#include <set>

#include <ATen/autocast_mode.h>

#include "modules/attention/registry.h"
#include "modules/norms/registry.h"
#include "modules/options_check.h"
#include "modules/positions/registry.h"
#include "tests/modules/support.h"

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

Transformer built(const TransformerOptions& options, torch::ScalarType dtype = torch::kFloat64, uint64_t seed = 1) {
  Transformer model(options);
  model->reset_parameters(seed);
  model->to(dtype);
  const torch::NoGradGuard no_grad;
  double phase = 0.4;
  for (auto& statistic : model->buffers()) {  // as if trained
    statistic.add_(scattered(statistic.sizes().vec(), phase += 1.3).to(dtype) * 0.3);
  }
  model->eval();
  return model;
}

/// Every norm in every placement.
std::vector<TransformerOptions> norms_and_placements() {
  std::vector<TransformerOptions> all;
  for (const auto& norm : norm_variants()) {
    for (const auto& placement : placement_variants()) {
      auto options = small_options();
      options.norm.type = norm.name;
      options.norm.placement = placement.name;
      all.push_back(options);
    }
  }
  return all;
}

/// Every position method, norm, placement and kernel that fit together, in small models.
std::vector<TransformerOptions> variants() {
  std::vector<TransformerOptions> all;
  for (const auto& positions : position_variants()) {
    for (const auto* placement : {"post", "pre"}) {
      for (const auto* kernel : {"explicit", "fused"}) {
        if (positions.traits.value_term && !find_attention(kernel)->traits.weights) {
          continue;
        }
        auto options = small_options();
        options.encoder_positions.type = options.decoder_positions.type = positions.name;
        options.norm.placement = placement;
        options.attention = kernel;
        all.push_back(options);
      }
    }
  }
  auto widths = small_options();
  widths.d_k = 3;
  widths.d_v = 5;
  widths.attention_bias = true;
  all.push_back(widths);
  for (const auto& options : norms_and_placements()) {
    all.push_back(options);
  }
  for (const auto* positions : {"shaw", "t5", "transformer_xl"}) {  // reach the ends of their tables; the fast kernels
    auto near = small_options();
    near.encoder_positions.type = near.decoder_positions.type = positions;
    near.encoder_positions.max_distance = near.decoder_positions.max_distance = 5;
    near.encoder_positions.buckets = near.decoder_positions.buckets = 8;
    near.d_k = 3;
    near.d_v = 5;
    all.push_back(near);
  }
  auto unlike = small_options();
  unlike.encoder_positions.type = "t5";
  unlike.decoder_positions.type = "rotary";
  unlike.decoder_positions.layout = "halves";
  all.push_back(unlike);
  auto stretched = small_options();
  stretched.encoder_positions.type = "hybrid";
  stretched.encoder_positions.max_length = 3;
  stretched.encoder_positions.beyond = "interpolate";
  stretched.decoder_positions.type = "learned";
  stretched.decoder_positions.max_length = 6;
  stretched.decoder_positions.beyond = "clamp";
  all.push_back(stretched);
  return all;
}

/// Every norm in every placement, and every position method with and without the kernels that cannot drop weights.
std::vector<TransformerOptions> trained_variants() {
  auto all = norms_and_placements();
  for (auto& options : all) {
    options.dropout = {0.1, 0.1, 0.1, 0.1};
  }
  for (const auto& positions : position_variants()) {
    for (const auto* kernel : {"auto", "explicit"}) {
      for (const double attention_dropout : {0.0, 0.1}) {
        auto options = small_options();
        options.encoder_positions.type = options.decoder_positions.type = positions.name;
        options.attention = kernel;
        options.dropout = {0.1, attention_dropout, 0.1, 0.1};
        all.push_back(options);
      }
    }
  }
  return all;
}

std::string name_of(const TransformerOptions& o) {
  return o.encoder_positions.type + ", " + o.decoder_positions.type + ", " + o.norm.type + ", " + o.norm.placement +
         ", " + o.attention;
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
    for (const auto* kernel : {"explicit", "fused"}) {
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

TEST_CASE("The decoder cannot see the future, even with sharp attention") {
  const torch::NoGradGuard no_grad;
  const auto source = torch::tensor({{3, 4, 5, 2}, {6, 7, 2, 0}}), source_lengths = torch::tensor({4, 3});
  const auto target = torch::tensor({{1, 4, 5, 6, 7, 8}, {1, 9, 3, 4, 0, 0}}), target_lengths = torch::tensor({6, 4});
  for (const auto& options : variants()) {
    for (const double factor : {1.0, 1000.0}) {
      INFO(name_of(options) << ", Q and K times " << factor);
      auto model = built(options);
      for (auto& parameter : model->named_parameters()) {
        if (parameter.key().find("w_q") != std::string::npos || parameter.key().find("w_k") != std::string::npos) {
          parameter.value().mul_(factor);
        }
      }
      Context context;
      const auto before = model->forward(source, source_lengths, target, target_lengths, context);
      for (int64_t t = 1; t < 6; ++t) {
        auto changed = target.clone();
        changed.narrow(1, t, 6 - t).add_(1).remainder_(11);
        const auto after = model->forward(source, source_lengths, changed, target_lengths, context);
        CHECK(difference(after.narrow(1, 0, t), before.narrow(1, 0, t)) < 1e-9);
        CHECK(difference(after[0][t], before[0][t]) > 1e-6);
      }
    }
  }
}

TEST_CASE("Padding changes nothing") {
  const torch::NoGradGuard no_grad;
  for (const auto& options : variants()) {
    INFO(name_of(options));
    auto model = built(options);
    Context context;
    const auto source = torch::tensor({{3, 4, 5, 2}}), target = torch::tensor({{1, 4, 5}});
    const auto memory = model->encode(source, torch::tensor({4}), context);
    const auto states = model->decode(target, torch::tensor({3}), memory, context);
    for (const int64_t pads : {1, 5, 30}) {
      // The second row is longer, so the first is padded; the padding's ids are arbitrary.
      const auto wide = torch::cat({torch::cat({source, torch::full({1, pads}, 9)}, 1), torch::full({1, 4 + pads}, 6)});
      const auto wide_target =
          torch::cat({torch::cat({target, torch::full({1, pads}, 8)}, 1), torch::full({1, 3 + pads}, 7)});
      const auto wide_memory = model->encode(wide, torch::tensor(std::vector<int64_t>{4, 4 + pads}), context);
      const auto wide_states =
          model->decode(wide_target, torch::tensor(std::vector<int64_t>{3, 3 + pads}), wide_memory, context);
      CHECK(difference(wide_memory.states[0].narrow(0, 0, 4), memory.states[0]) < 1e-5);
      CHECK(difference(wide_states[0].narrow(0, 0, 3), states[0]) < 1e-5);
    }
  }
}

TEST_CASE(
    "In training mode, too, the future is invisible and more padding changes nothing: for every norm but BatchNorm") {
  const torch::NoGradGuard no_grad;
  const auto source = torch::tensor({{3, 4, 5, 2}, {6, 7, 2, 0}}), source_lengths = torch::tensor({4, 3});
  const auto target = torch::tensor({{1, 4, 5, 6}, {1, 9, 3, 0}}), target_lengths = torch::tensor({4, 3});
  for (const auto& options : norms_and_placements()) {
    INFO(name_of(options));
    auto model = built(options);
    model->train();
    Context context;
    const auto before = model->forward(source, source_lengths, target, target_lengths, context);
    auto changed = target.clone();
    changed.select(1, 3).add_(1).remainder_(11);
    const auto after = model->forward(source, source_lengths, changed, target_lengths, context);
    const double seen = difference(after.narrow(1, 0, 3), before.narrow(1, 0, 3));
    if (options.norm.type == "batch_norm") {
      CHECK(seen > 1e-6);  // its statistics are of the whole batch: exempt
    } else {
      CHECK(seen < 1e-9);
    }
    // The same sentences in a wider batch: BatchNorm leaves padding out, so this holds for all.
    const auto wide_source = torch::cat({source, torch::full({2, 9}, 7)}, 1);
    const auto wide_target = torch::cat({target, torch::full({2, 6}, 8)}, 1);
    const auto wide = model->forward(wide_source, source_lengths, wide_target, target_lengths, context);
    CHECK(difference(wide[0].narrow(0, 0, 4), before[0]) < 1e-9);
    CHECK(difference(wide[1].narrow(0, 0, 3), before[1].narrow(0, 0, 3)) < 1e-9);
  }
}

TEST_CASE("Without padding the states are those of the padded batch, and so are the gradients") {
  const auto source = torch::tensor({{3, 4, 5, 2}, {6, 7, 2, 0}, {8, 2, 0, 0}}),
             source_lengths = torch::tensor({4, 3, 2});
  const auto target = torch::tensor({{1, 4, 0, 0}, {1, 9, 3, 5}, {1, 0, 0, 0}}),
             target_lengths = torch::tensor({2, 4, 1});
  const TokenRows rows(target_lengths, 4, torch::kCPU);
  auto cases = variants();
  for (const auto& options : norms_and_placements()) {
    cases.push_back(options);
  }
  for (const bool training : {false, true}) {
    for (const auto& options : cases) {
      INFO(name_of(options) << (training ? ", training" : ""));
      auto model = built(options);
      model->train(training);
      Context context;
      const auto memory = model->encode(source, source_lengths, context);
      const auto padded = rows.gather(model->decode(target, target_lengths, memory, context));
      const auto states = model->target_states(source, source_lengths, target, target_lengths, context);
      REQUIRE(states.sizes() == padded.sizes());
      CHECK(difference(states, padded) < 1e-5);
      const auto r = scattered(padded.sizes().vec(), 0.4, padded.scalar_type());
      const auto parameters = model->parameters();
      const auto gradients_of = [&](const torch::Tensor& output) {
        return torch::autograd::grad({(output * r).sum()}, parameters, {}, /*retain_graph=*/std::nullopt,
                                     /*create_graph=*/false, /*allow_unused=*/true);
      };
      const auto expected_gradients = gradients_of(padded), gradients = gradients_of(states);
      for (size_t i = 0; i < gradients.size(); ++i) {
        REQUIRE(gradients[i].defined() == expected_gradients[i].defined());
        if (gradients[i].defined()) {
          const double size = std::max(1.0, expected_gradients[i].abs().max().item<double>());
          CHECK(difference(gradients[i], expected_gradients[i]) < 1e-4 * size);
        }
      }
    }
  }
}

TEST_CASE("Cached decoding equals decoding of the whole prefix") {
  const torch::NoGradGuard no_grad;
  const auto source = torch::tensor({{3, 4, 5, 2}, {6, 7, 2, 0}}), lengths = torch::tensor({4, 3});
  const int64_t steps = 20;
  const auto target = torch::arange(2 * steps).view({2, steps}).remainder(11);
  for (const auto& options : variants()) {
    INFO(name_of(options));
    auto model = built(options);
    Context context;
    const auto memory = model->encode(source, lengths, context);
    const auto states = model->decode(target, torch::tensor({steps, steps}), memory, context);
    DecoderCache cache;
    for (int64_t t = 0; t < steps; ++t) {
      const auto next = model->decode_next(target.select(1, t), memory, cache, context);
      CHECK(difference(next, states.select(1, t)) < 1e-10);
      CHECK(cache.length() == t + 1);
    }
  }
}

TEST_CASE("Rows of a cache can be chosen, repeated and dropped") {
  const torch::NoGradGuard no_grad;
  const auto source = torch::tensor({{3, 4, 2}, {6, 2, 0}, {5, 7, 2}}), lengths = torch::tensor({3, 2, 3});
  // Before which step which rows are kept: rows copied before the first, exchanged, dropped, and multiplied again.
  const std::map<int64_t, std::vector<int64_t>> kept{{0, {0, 0, 1, 2}}, {2, {2, 0, 0, 3, 2}},     {3, {4, 1, 1}},
                                                     {9, {2, 1}},       {20, {0, 1, 0, 1, 1, 1}}, {21, {5, 0}}};
  for (const auto type : {torch::kFloat64, torch::kFloat32}) {  // float32 attends straight from the pool
    for (const auto& options : variants()) {
      INFO(name_of(options) << ", " << type);
      auto model = built(options);
      model->to(type);
      Context context;
      const auto memory = model->encode(source, lengths, context);
      DecoderCache cache;
      auto sentences = torch::arange(3);
      auto prefixes = torch::empty({3, 0}, torch::kInt64);
      for (int64_t t = 0; t < 24; ++t) {
        if (kept.count(t) != 0) {
          const auto rows = torch::tensor(kept.at(t));
          cache.select(rows);
          sentences = sentences.index_select(0, rows);
          prefixes = prefixes.index_select(0, rows);
        }
        const auto tokens = (torch::arange(sentences.size(0)) * 5 + t).remainder(11);
        prefixes = torch::cat({prefixes, tokens.unsqueeze(1)}, 1);
        const auto states = model->decode_next(tokens, memory, cache, context);
        const Memory of_rows{memory.states.index_select(0, sentences), lengths.index_select(0, sentences)};
        const auto whole = model->decode(prefixes, torch::full({prefixes.size(0)}, prefixes.size(1)), of_rows, context);
        CHECK(difference(states, whole.select(1, t)) < (type == torch::kFloat64 ? 1e-10 : 2e-5));
      }
    }
  }
}

TEST_CASE("An empty source gives finite states and gradients, with and without recorded weights") {
  const auto source = torch::tensor({{3, 4, 2}, {0, 0, 0}}), source_lengths = torch::tensor({3, 0});
  const auto target = torch::tensor({{1, 4}, {1, 5}}), target_lengths = torch::tensor({2, 2});
  for (const auto& options : variants()) {
    for (const bool records : {false, true}) {
      INFO(name_of(options) << ", records " << records);
      auto model = built(options);
      Recorder recorder;
      Context context{nullptr, records ? &recorder : nullptr, nullptr};
      const auto logits = model->forward(source, source_lengths, target, target_lengths, context);
      CHECK(all_finite(logits));
      logits.square().sum().backward();
      for (const auto& parameter : model->parameters()) {
        CHECK((!parameter.grad().defined() || all_finite(parameter.grad())));
      }
      for (const auto& entry : recorder.entries) {
        if (entry.kind != AttentionKind::decoder) {
          CHECK(entry.weights[1].abs().max().item<double>() == 0);
        }
      }
    }
  }
}

TEST_CASE("An empty batch in training mode gives finite gradients and statistics in every norm and placement") {
  for (const auto& options : norms_and_placements()) {
    INFO(name_of(options));
    auto model = built(options);
    model->train();
    Context context;
    const auto logits = model->forward(torch::zeros({1, 2}, torch::kInt64), torch::tensor({0}), torch::tensor({{1}}),
                                       torch::tensor({1}), context);
    CHECK(all_finite(logits));
    logits.square().sum().backward();
    for (const auto& parameter : model->parameters()) {
      CHECK((!parameter.grad().defined() || all_finite(parameter.grad())));
    }
    for (const auto& statistic : model->buffers()) {
      CHECK(all_finite(statistic));
    }
  }
}

TEST_CASE("Recording gives every head of every layer, without gradients and in evaluation, and changes no output") {
  const torch::NoGradGuard no_grad;
  const auto source = torch::tensor({{3, 4, 5, 2}, {6, 7, 2, 0}}), source_lengths = torch::tensor({4, 3});
  const auto target = torch::tensor({{1, 4, 5}, {1, 9, 3}}), target_lengths = torch::tensor({3, 3});
  for (const int64_t heads : {1, 2, 4}) {
    for (auto options : variants()) {
      options.heads = heads;
      INFO(name_of(options) << ", heads " << heads);
      auto model = built(options, torch::kFloat32);
      Context plain;
      Recorder recorder;
      Context recording{nullptr, &recorder, nullptr};
      const auto logits = model->forward(source, source_lengths, target, target_lengths, recording);
      const double size = std::max(1.0, logits.abs().max().item<double>());
      CHECK(difference(logits, model->forward(source, source_lengths, target, target_lengths, plain)) < 1e-5 * size);
      std::set<std::pair<int, int64_t>> seen;
      for (const auto& entry : recorder.entries) {
        seen.emplace(static_cast<int>(entry.kind), entry.layer);
        const int64_t queries = entry.kind == AttentionKind::encoder ? 4 : 3,
                      keys = entry.kind == AttentionKind::decoder ? 3 : 4;
        CHECK(entry.weights.sizes() == torch::IntArrayRef({2, heads, queries, keys}));
        CHECK(difference(entry.weights.sum(-1), torch::ones({2, heads, queries})) < 1e-5);
        if (entry.kind != AttentionKind::decoder) {
          CHECK(entry.weights[1].select(-1, 3).abs().max().item<float>() == 0);  // padded key
        }
      }
      CHECK(seen.size() == 6);
      CHECK(recorder.entries.size() == 6);
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

TEST_CASE("Each dropout rate has its own effect, and equal streams give equal results") {
  const auto source = torch::tensor({{3, 4, 5, 2}}), source_lengths = torch::tensor({4});
  const auto target = torch::tensor({{1, 4, 5}}), target_lengths = torch::tensor({3});
  const auto run = [&](const DropoutOptions& rates, uint64_t step) {
    auto options = small_options();
    options.dropout = rates;
    auto model = built(options);
    DropoutStream stream(1, step, 0);
    Context context{&stream, nullptr, nullptr};
    return model->forward(source, source_lengths, target, target_lengths, context);
  };
  const auto plain = run({0, 0, 0, 0}, 1);
  for (const auto& rates : {DropoutOptions{0.5, 0, 0, 0}, {0, 0.5, 0, 0}, {0, 0, 0.5, 0}, {0, 0, 0, 0.5}}) {
    CHECK(difference(run(rates, 1), plain) > 1e-3);
    CHECK(difference(run(rates, 1), run(rates, 2)) > 1e-3);
    CHECK(run(rates, 1).equal(run(rates, 1)));
  }
  CHECK(run({0, 0, 0, 0}, 2).equal(plain));
}

TEST_CASE("The model runs in bfloat16 and stays near float32") {
  const torch::NoGradGuard no_grad;
  const auto source = torch::tensor({{3, 4, 5, 2}, {6, 7, 2, 0}}), source_lengths = torch::tensor({4, 3});
  const auto target = torch::tensor({{1, 4, 5}, {1, 9, 3}}), target_lengths = torch::tensor({3, 3});
  for (const auto& options : variants()) {
    INFO(name_of(options));
    Context context;
    const auto exact =
        built(options, torch::kFloat32)->forward(source, source_lengths, target, target_lengths, context);
    const auto rough =
        built(options, torch::kBFloat16)->forward(source, source_lengths, target, target_lengths, context);
    CHECK((rough.to(torch::kFloat32) - exact).norm().item<double>() < 0.05 * exact.norm().item<double>());
  }
}

TEST_CASE("Training under autocast keeps parameters and their gradients in float32, and repeats bit for bit") {
  // Enough rows that BatchNorm's variances are no accident.
  const auto source = torch::arange(12 * 7).square().remainder(11).view({12, 7});
  const auto target = torch::arange(12 * 6).square().remainder(11).view({12, 6});
  const auto source_lengths = torch::arange(12).remainder(6) + 2, target_lengths = torch::arange(12).remainder(5) + 2;
  const auto gradients = [&](const TransformerOptions& options, bool bfloat16) {
    auto model = built(options, torch::kFloat32);
    model->train();
    DropoutStream stream(1, 1, 0);
    Context context{&stream, nullptr, nullptr};
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::set_autocast_enabled(at::kCPU, bfloat16);
    const auto logits = model->forward(source, source_lengths, target, target_lengths, context);
    at::autocast::set_autocast_enabled(at::kCPU, false);
    at::autocast::clear_cache();
    logits.to(torch::kFloat32).square().sum().backward();
    std::vector<Tensor> flat;
    for (const auto& parameter : model->parameters()) {
      CHECK(parameter.grad().dtype() == torch::kFloat32);
      flat.push_back(parameter.grad().flatten());
    }
    for (const auto& statistic : model->buffers()) {
      CHECK(statistic.dtype() == torch::kFloat32);
    }
    return torch::cat(flat);
  };
  for (const auto& options : trained_variants()) {
    INFO(name_of(options) << ", dropout of weights " << options.dropout.attention);
    const auto exact = gradients(options, false), rough = gradients(options, true);
    CHECK(exact.equal(gradients(options, false)));
    CHECK(rough.equal(gradients(options, true)));
    CHECK((rough - exact).norm().item<double>() < 0.08 * exact.norm().item<double>());
    CHECK((rough - exact).norm().item<double>() > 0);
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
