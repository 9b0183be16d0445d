// The number of parameters: the paper's Table 3 by arithmetic, and equal to what a built model has.

#include "modules/norms/registry.h"
#include "modules/positions/registry.h"
#include "modules/transformer.h"
#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;

namespace {

// In millions, as Table 3 prints them: one shared vocabulary of 41,100 pieces.
double millions(const std::function<void(TransformerOptions&)>& change) {
  TransformerOptions options;
  options.source_vocab = options.target_vocab = 41100;
  change(options);
  return static_cast<double>(parameter_count(options)) / 1e6;
}

}  // namespace

TEST_CASE("Table 3 of the paper") {
  CHECK(millions([](auto&) {}) == Approx(65.145).margin(5e-4));
  CHECK(millions([](auto& o) { o.d_k = 16; }) == Approx(58.067).margin(5e-4));
  CHECK(millions([](auto& o) { o.d_k = 32; }) == Approx(60.426).margin(5e-4));
  CHECK(millions([](auto& o) { o.encoder_layers = o.decoder_layers = 2; }) == Approx(35.744).margin(5e-4));
  CHECK(millions([](auto& o) { o.encoder_layers = o.decoder_layers = 4; }) == Approx(50.444).margin(5e-4));
  CHECK(millions([](auto& o) { o.encoder_layers = o.decoder_layers = 8; }) == Approx(79.845).margin(5e-4));
  CHECK(millions([](auto& o) { o.d_model = 256; }) == Approx(27.866).margin(5e-4));
  CHECK(millions([](auto& o) { o.d_model = 1024; }) == Approx(168.014).margin(5e-4));
  CHECK(millions([](auto& o) { o.d_ff = 1024; }) == Approx(52.550).margin(5e-4));
  CHECK(millions([](auto& o) { o.d_ff = 4096; }) == Approx(90.335).margin(5e-4));
  // Row A changes the heads and nothing else that counts.
  for (const int64_t heads : {1, 4, 16, 32}) {
    CHECK(millions([&](auto& o) { o.heads = heads; }) == millions([](auto&) {}));
  }
}

TEST_CASE("A built model has as many parameters as the arithmetic says, in every switch") {
  const auto check = [](const std::function<void(TransformerOptions&)>& change) {
    auto options = small_options();
    options.encoder_layers = 1;
    options.decoder_layers = 3;
    change(options);
    Transformer model(options);
    int64_t count = 0;
    for (const auto& parameter : model->parameters()) {
      count += parameter.numel();
    }
    CHECK(parameter_count(options) == count);
  };
  check([](auto&) {});
  for (const auto& norm : norm_variants()) {
    for (const auto& placement : placement_variants()) {
      INFO(norm.name << ", " << placement.name);
      check([&](auto& o) { o.norm.type = norm.name, o.norm.placement = placement.name; });
    }
  }
  check([](auto& o) { o.attention_bias = true; });
  check([](auto& o) { o.attention_bias = true, o.d_k = 3, o.d_v = 5; });
  check([](auto& o) { o.d_k = 3, o.heads = 4; });
  check([](auto& o) { o.encoder_positions.type = "learned"; });
  check([](auto& o) { o.decoder_positions.type = "learned", o.decoder_positions.max_length = 9; });
  for (const auto& positions : position_variants()) {
    INFO(positions.name);
    check([&](auto& o) { o.encoder_positions.type = positions.name; });
    check([&](auto& o) { o.decoder_positions.type = positions.name; });
    check([&](auto& o) { o.encoder_positions.type = positions.name, o.d_k = 2, o.d_v = 5, o.heads = 3; });
    check([&](auto& o) {
      o.decoder_positions = {.type = positions.name, .max_length = 7, .sinusoidal_width = 6, .max_distance = 9};
      o.decoder_positions.buckets = 12;
    });
  }
  check([](auto& o) { o.tying = "two_way", o.target_vocab = 13; });
  check([](auto& o) { o.tying = "none", o.target_vocab = 13; });
}
