// What cannot be built is said in words, with the key.

#include "modules/options_check.h"

#include "tests/modules/support.h"

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

TEST_CASE("All problems are told at once") {
  auto options = small_options();
  options.heads = 3;
  options.norm.type = "x";
  options.dropout.residual = 2;
  options.source_vocab = options.target_vocab = 0;
  CHECK(problems(options).size() == 3);
  try {
    require_possible(options);
    FAIL("accepted");
  } catch (const attnlab::Error& error) {
    for (const auto* part : {"heads", "norm.type", "dropout.residual", "vocabularies"}) {
      CHECK(contains(error.what(), part));
    }
  }
}
