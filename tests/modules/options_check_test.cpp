// What cannot be built is said in words, with the key.

#include "modules/options_check.h"

#include "tests/modules/support.h"
#include "tests/support/error_message.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The one problem of the small options after `change`.
std::string problem_of(const std::function<void(TransformerOptions&)>& change) {
  auto options = small_options();
  change(options);
  const auto found = problems(options);
  REQUIRE(found.size() == 1);
  return found.front();
}

}  // namespace

TEST_CASE("The base model of the paper has no problem") {
  CHECK(problems(TransformerOptions{}).empty());
  CHECK(problems(small_options()).empty());
}

TEST_CASE("Sizes") {
  CHECK(contains(problem_of([](auto& o) { o.heads = 3; }), "heads: d_model 8 is not divisible by 3 heads"));
  CHECK(problems([] {
          auto o = small_options();
          o.heads = 3;
          o.d_k = o.d_v = 2;
          return o;
        }())
            .empty());
  CHECK(contains(problem_of([](auto& o) { o.heads = 0; }), "heads: expected at least 1, got 0"));
  CHECK(contains(problem_of([](auto& o) { o.d_k = -1; }), "d_k: expected at least 0, got -1"));
  CHECK(contains(problem_of([](auto& o) { o.d_ff = 0; }), "d_ff: expected at least 1, got 0"));
  CHECK(contains(problem_of([](auto& o) { o.encoder_layers = 0; }), "encoder_layers: "));
  CHECK(contains(problem_of([](auto& o) { o.decoder_layers = -2; }), "decoder_layers: "));
}

TEST_CASE("Names, with the nearest known one") {
  const auto norm = problem_of([](auto& o) { o.norm.type = "layernorm"; });
  CHECK(contains(norm, "norm.type: \"layernorm\" is not known; expected one of layer_norm"));
  CHECK(contains(norm, "The nearest is \"layer_norm\""));
  CHECK(contains(problem_of([](auto& o) { o.norm.placement = "pro"; }), "The nearest is \"pre\""));
  CHECK(contains(problem_of([](auto& o) { o.encoder_positions.type = "learn"; }), "encoder_positions.type: \"learn\""));
  CHECK(
      contains(problem_of([](auto& o) { o.decoder_positions.beyond = "wrap"; }), "decoder_positions.beyond: \"wrap\""));
  CHECK(contains(problem_of([](auto& o) { o.attention = "flash"; }), "expected one of auto, explicit, fused"));
  CHECK(contains(problem_of([](auto& o) { o.activation = "swish"; }), "expected one of relu, gelu"));
  CHECK(contains(problem_of([](auto& o) { o.tying = "threeway"; }), "The nearest is \"three_way\""));
}

TEST_CASE("Rates and numbers") {
  CHECK(contains(problem_of([](auto& o) { o.dropout.attention = 1; }),
                 "dropout.attention: expected a probability in [0, 1), got 1"));
  CHECK(contains(problem_of([](auto& o) { o.dropout.embedding = -0.1; }), "dropout.embedding"));
  CHECK(contains(problem_of([](auto& o) { o.dropout.activation = NAN; }), "dropout.activation"));
  CHECK(contains(problem_of([](auto& o) { o.dropout.residual = 1.5; }), "dropout.residual"));
  CHECK(contains(problem_of([](auto& o) { o.norm.epsilon = 0; }), "norm.epsilon"));
  CHECK(contains(problem_of([](auto& o) { o.norm.residual_scale = -1; }),
                 "norm.residual_scale: expected a number above 0, or 0 for the placement's own, got -1"));
  CHECK(contains(problem_of([](auto& o) { o.norm.initial_scale = NAN; }), "norm.initial_scale"));
  CHECK(contains(problem_of([](auto& o) { o.encoder_positions.max_length = 0; }), "encoder_positions.max_length"));
}

TEST_CASE("Combinations that do not exist") {
  CHECK(contains(problem_of([](auto& o) {
                   o.d_model = 29;
                   o.heads = 1;
                   o.decoder_positions.type = "learned";
                 }),
                 "encoder_positions.type: \"sinusoidal\" needs an even d_model"));
  CHECK(contains(problem_of([](auto& o) {
                   o.attention = "fused";
                   o.dropout.attention = 0.1;
                 }),
                 "attention: \"fused\" cannot drop attention weights"));
}

TEST_CASE("Position methods say what they cannot work with") {
  const auto encoder = [](const std::function<void(TransformerOptions&, PositionOptions&)>& change) {
    return problem_of([&](TransformerOptions& o) { change(o, o.encoder_positions); });
  };
  const auto decoder = [](const std::function<void(TransformerOptions&, PositionOptions&)>& change) {
    return problem_of([&](TransformerOptions& o) { change(o, o.decoder_positions); });
  };
  CHECK(
      contains(encoder([](auto& o, auto& p) { p.type = "rotary", o.d_k = 3; }),
               "encoder_positions.type: \"rotary\" needs an even d_k (elements are turned in pairs), got 3; set d_k"));
  CHECK(contains(
      encoder([](auto&, auto& p) { p.type = "rotary", p.layout = "tensor2tensor"; }),
      "encoder_positions.layout: \"tensor2tensor\" is no layout of \"rotary\", which takes interleaved, halves"));
  CHECK(
      contains(decoder([](auto&, auto& p) { p.layout = "half"; }),
               "decoder_positions.layout: \"half\" is not known; expected one of interleaved, halves, tensor2tensor"));
  CHECK(contains(encoder([](auto&, auto& p) { p.base = 1; }),
                 "encoder_positions.base: expected a number above 1, got 1"));
  CHECK(contains(encoder([](auto&, auto& p) { p.base = NAN; }), "encoder_positions.base"));
  CHECK(
      contains(decoder([](auto&, auto& p) { p.type = "learned", p.beyond = "interpolate"; }),
               "decoder_positions.beyond: \"interpolate\" stretches the table over the whole sequence, whose length"));
  CHECK(
      contains(encoder([](auto&, auto& p) { p.type = "hybrid", p.sinusoidal_width = 3; }),
               "encoder_positions.sinusoidal_width: expected an even number (sines and cosines come in pairs), got 3"));
  CHECK(contains(encoder([](auto&, auto& p) { p.type = "hybrid", p.sinusoidal_width = 8; }),
                 "encoder_positions.sinusoidal_width: 8 leaves nothing to learn of d_model 8"));
  CHECK(contains(encoder([](auto& o, auto& p) {
                   o.d_model = 3, o.heads = 1;
                   p.type = "hybrid";
                   o.decoder_positions.type = "none";
                 }),
                 "encoder_positions.type: \"hybrid\" needs a d_model of at least 4"));
  CHECK(contains(encoder([](auto&, auto& p) { p.sinusoidal_width = -2; }), "encoder_positions.sinusoidal_width: "));
  CHECK(contains(encoder([](auto&, auto& p) { p.max_distance = -1; }), "encoder_positions.max_distance: "));
  CHECK(contains(encoder([](auto&, auto& p) { p.buckets = 1; }), "encoder_positions.buckets: expected at least 2"));
  CHECK(contains(encoder([](auto&, auto& p) { p.type = "t5", p.buckets = 7; }),
                 "encoder_positions.buckets: expected an even number of at least 4"));
  CHECK(contains(encoder([](auto&, auto& p) { p.type = "t5", p.max_distance = 8; }),
                 "encoder_positions.max_distance: expected more than 8"));
  CHECK(contains(decoder([](auto&, auto& p) { p.type = "t5", p.max_distance = 16; }),
                 "decoder_positions.max_distance: expected more than 16"));
  CHECK(contains(decoder([](auto& o, auto& p) { p.type = "shaw", o.attention = "fused"; }),
                 "attention: \"fused\" does not give its weights, which decoder_positions.type \"shaw\" needs"));
  const auto odd = [](const std::string& type) {
    return problem_of([&](TransformerOptions& o) {
      o.d_model = 9, o.heads = 3;
      o.encoder_positions.type = type;
      o.decoder_positions.type = "none";
    });
  };
  CHECK(contains(odd("transformer_xl"), "encoder_positions.type: \"transformer_xl\" needs an even d_model"));
  CHECK(contains(odd("rotary"), "needs an even d_k"));
}

TEST_CASE("What a method does not read is not held against it") {
  for (const auto* type : {"learned", "hybrid", "shaw", "t5", "alibi"}) {
    auto options = small_options();
    options.d_model = 9;
    options.heads = 3;
    options.encoder_positions.type = options.decoder_positions.type = type;
    CHECK(problems(options).empty());
  }
  auto options = small_options();
  options.encoder_positions.buckets = 7;
  options.encoder_positions.sinusoidal_width = 3;
  options.decoder_positions.beyond = "interpolate";
  CHECK(problems(options).empty());
}

TEST_CASE("All problems are told at once") {
  auto options = small_options();
  options.heads = 3;
  options.norm.type = "x";
  options.dropout.residual = 2;
  options.source_vocab = options.target_vocab = 0;
  CHECK(problems(options).size() == 3);
  CHECK(attnlab::tests::mentions(attnlab::tests::error_message([&] { require_possible(options); }), "heads",
                                 "norm.type", "dropout.residual", "vocabularies"));
}
