#include "experiments/run/conventions.h"

#include "modules/positions/registry.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::run {
namespace {

TEST_CASE("the paper's run says how it was initialised, smoothed and measured") {
  const auto notes = conventions(spec::RunConfig{});
  CHECK(notes.at("initialisation") == "Xavier uniform for each matrix on its own, embeddings N(0, 1/D), biases 0");
  CHECK(notes.at("label_smoothing") == "0.1 over vocab");
  CHECK(notes.at("perplexity") == "of the unsmoothed negative log-likelihood, per piece with the end mark");
  CHECK(notes.at("sinusoid_layout") == "interleaved (section 3.5 of the paper)");
  CHECK(notes.size() == 4);
}

TEST_CASE("DeepNorm's scales of the start are named") {
  spec::RunConfig config;  // 6 + 6 layers: beta is 0.87 (N^4 M)^(-1/16) and (12 M)^(-1/4)
  config.model.norm.placement = "deep_norm";
  CHECK(tests::mentions(conventions(config).at("initialisation"),
                        "biases 0; W_V, W_O and feed-forward times 0.497 (encoder)", "0.3433 (decoder)"));
}

TEST_CASE("stacks that are arranged differently are named apart") {
  spec::RunConfig config;
  config.model.encoder_positions.layout = "halves";
  CHECK(conventions(config).at("sinusoid_layout") ==
        "encoder halves (sines, then cosines, of the paper's angles); decoder interleaved (section 3.5 of the paper)");
  config.model.decoder_positions.type = "rotary";
  config.model.decoder_positions.base = 500;
  const auto notes = conventions(config);
  CHECK(notes.at("sinusoid_layout") == "halves (sines, then cosines, of the paper's angles)");
  CHECK(notes.at("rotary_layout") == "interleaved (elements 2i and 2i+1), base 500");
}

TEST_CASE("every layout of every position method has its words, and no other method has a note") {
  for (const modules::PositionVariant& method : modules::position_variants()) {
    INFO(method.name);
    spec::RunConfig config;
    const std::string note = method.traits.rotates ? "rotary_layout" : "sinusoid_layout";
    config.model.encoder_positions.type = config.model.decoder_positions.type = method.name;
    if (method.traits.layouts.empty()) CHECK(conventions(config).count(note) == 0);
    for (const std::string& layout : method.traits.layouts) {
      config.model.encoder_positions.layout = config.model.decoder_positions.layout = layout;
      CHECK(conventions(config).at(note).rfind(layout + " (", 0) == 0);
    }
  }
}

}  // namespace
}  // namespace attnlab::run
