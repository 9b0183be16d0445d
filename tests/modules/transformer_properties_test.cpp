// The properties that no Transformer may break, in every variant.

#include <map>
#include <set>

#include <ATen/autocast_mode.h>

#include "tests/modules/models.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;
using torch::Tensor;

namespace {

/// Every norm in every placement, and every position method with every kernel, with and without dropped weights.
std::vector<TransformerOptions> trained_variants() {
  auto all = norms_and_placements();
  for (auto& options : all) {
    options.dropout = {0.1, 0.1, 0.1, 0.1};
  }
  for (const auto& positions : position_variants()) {
    for (const auto& kernel : attention_variants()) {
      for (const double attention_dropout : {0.0, 0.1}) {
        auto options = small_options();
        options.encoder_positions.type = options.decoder_positions.type = positions.name;
        options.attention = kernel.name;
        options.dropout = {0.1, attention_dropout, 0.1, 0.1};
        if (problems(options).empty()) {
          all.push_back(options);
        }
      }
    }
  }
  return all;
}

/// The model's answers to two sentences with padding: whole, without padding, and step by step.
std::vector<Tensor> answers(Transformer& model, Context& context) {
  const auto source = torch::tensor({{3, 4, 5, 2}, {6, 7, 2, 0}}), source_lengths = torch::tensor({4, 3});
  const auto target = torch::tensor({{1, 4, 5}, {1, 9, 0}}), target_lengths = torch::tensor({3, 2});
  const auto memory = model->encode(source, source_lengths, context);
  std::vector<Tensor> all{memory.states, model->decode(target, target_lengths, memory, context),
                          model->target_states(source, source_lengths, target, target_lengths, context)};
  const auto weights = model->arranged_decoder();
  DecoderCache cache(weights);
  for (int64_t t = 0; t < target.size(1); ++t) {
    all.push_back(model->decode_next(target.select(1, t), memory, cache, context));
  }
  return all;
}

}  // namespace

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
    const auto weights = model->arranged_decoder();
    DecoderCache cache(weights);
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
      const auto weights = model->arranged_decoder();
      DecoderCache cache(weights);
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

/// A parameter that took no part has no gradient.
void check_finite_gradients(const torch::nn::Module& model) {
  int64_t gradients = 0;
  for (const auto& parameter : model.parameters()) {
    if (!parameter.grad().defined()) continue;
    CHECK(all_finite(parameter.grad()));
    ++gradients;
  }
  CHECK(gradients > 0);
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
      check_finite_gradients(*model);
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
    check_finite_gradients(*model);
    for (const auto& statistic : model->buffers()) {
      CHECK(all_finite(statistic));
    }
  }
}

TEST_CASE("Recording gives every head of every layer, without gradients and in evaluation") {
  const torch::NoGradGuard no_grad;
  const auto source = torch::tensor({{3, 4, 5, 2}, {6, 7, 2, 0}}), source_lengths = torch::tensor({4, 3});
  const auto target = torch::tensor({{1, 4, 5}, {1, 9, 3}}), target_lengths = torch::tensor({3, 3});
  for (const int64_t heads : {1, 2, 4}) {
    for (auto options : variants()) {
      options.heads = heads;
      INFO(name_of(options) << ", heads " << heads);
      auto model = built(options, torch::kFloat32);
      Recorder recorder;
      Context recording{nullptr, &recorder, nullptr};
      model->forward(source, source_lengths, target, target_lengths, recording);
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

TEST_CASE("A recorder changes no bit of what is computed: in evaluation, in training, and in steps of decoding") {
  for (const auto& options : variants()) {
    INFO(name_of(options));
    auto model = built(options, torch::kFloat32);
    const auto run = [&](AttentionRecorder* recorder) {
      const torch::NoGradGuard no_grad;
      Context context{nullptr, recorder, nullptr};
      return answers(model, context);
    };
    Recorder recorder;
    const auto plain = run(nullptr), recorded = run(&recorder);
    for (size_t i = 0; i < plain.size(); ++i) {
      CHECK(plain[i].equal(recorded[i]));
    }
    CHECK(recorder.entries.size() == 2 + 4 + 6 + 3 * 4);  // encoder; decoder; without padding; three steps
  }
  for (const auto& options : trained_variants()) {
    INFO(name_of(options) << ", dropout of weights " << options.dropout.attention);
    const auto gradients = [&](AttentionRecorder* recorder) {
      auto model = built(options, torch::kFloat32);
      model->train();
      DropoutStream stream(1, 2, 3);
      Context context{&stream, recorder, nullptr};
      const auto states = model->target_states(torch::tensor({{3, 4, 5, 2}, {6, 7, 2, 0}}), torch::tensor({4, 3}),
                                               torch::tensor({{1, 4, 5}, {1, 9, 0}}), torch::tensor({3, 2}), context);
      states.square().sum().backward();
      std::vector<Tensor> all{states.detach()};
      for (const auto& parameter : model->parameters()) {
        all.push_back(parameter.grad().defined() ? parameter.grad() : torch::zeros_like(parameter));
      }
      return all;
    };
    Recorder recorder;
    const auto plain = gradients(nullptr), recorded = gradients(&recorder);
    for (size_t i = 0; i < plain.size(); ++i) {
      CHECK(plain[i].equal(recorded[i]));
    }
    CHECK(recorder.entries.size() == 6);
  }
}

TEST_CASE("Gates and recorder together change nothing else") {
  const torch::NoGradGuard no_grad;
  auto model = built(small_options(), torch::kFloat32);
  HeadGates gates;
  gates.encoder = gates.cross = torch::tensor({{1.0F, 0.0F}, {0.5F, 1.0F}});
  Recorder recorder;
  Context plain{nullptr, nullptr, &gates}, recording{nullptr, &recorder, &gates};
  const auto expected_answers = answers(model, plain), recorded = answers(model, recording);
  for (size_t i = 0; i < recorded.size(); ++i) {
    CHECK(recorded[i].equal(expected_answers[i]));
  }
}

TEST_CASE("Every kernel that computes the paper's formula gives the explicit kernel's numbers in float32") {
  const torch::NoGradGuard no_grad;
  for (auto options : variants()) {
    if (!find_attention(options.attention)->traits.exact) {
      continue;
    }
    INFO(name_of(options));
    Context context;
    auto model = built(options, torch::kFloat32);
    options.attention = "explicit";
    auto explicit_model = built(options, torch::kFloat32);
    const auto got = answers(model, context), expected_answers = answers(explicit_model, context);
    for (size_t i = 0; i < got.size(); ++i) {
      CHECK(difference(got[i], expected_answers[i]) < 2e-5 * std::max(1.0, got[i].abs().max().item<double>()));
    }
  }
}

TEST_CASE("Every kernel that computes the paper's formula trains as the explicit one does: same dropped weights") {
  for (auto options : trained_variants()) {
    if (!find_attention(options.attention)->traits.exact) {
      continue;
    }
    INFO(name_of(options) << ", dropout of weights " << options.dropout.attention);
    const auto run = [&] {
      auto model = built(options, torch::kFloat32);
      model->train();
      DropoutStream stream(1, 2, 3);
      Context context{&stream, nullptr, nullptr};
      const auto states = model->target_states(torch::tensor({{3, 4, 5, 2}, {6, 7, 2, 0}}), torch::tensor({4, 3}),
                                               torch::tensor({{1, 4, 5}, {1, 9, 0}}), torch::tensor({3, 2}), context);
      states.square().sum().backward();
      std::vector<Tensor> gradients;
      for (const auto& parameter : model->parameters()) {
        gradients.push_back(parameter.grad().defined() ? parameter.grad().flatten() : torch::zeros(parameter.numel()));
      }
      return std::pair(states.detach(), torch::cat(gradients));
    };
    const auto [states, gradient] = run();
    options.attention = "explicit";
    const auto [expected_states, expected_gradient] = run();
    CHECK(difference(states, expected_states) < 1e-4);
    CHECK((gradient - expected_gradient).norm().item<double>() < 1e-3 * expected_gradient.norm().item<double>());
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
