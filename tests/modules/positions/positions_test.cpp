// Position methods that add a vector to the embeddings: sinusoids, learned tables up to their end and beyond it, and
// both together.

#include "modules/positions/positions.h"

#include "modules/positional_encoding.h"
#include "modules/positions/growing_table.h"
#include "modules/positions/registry.h"
#include "modules/positions/sinusoidal.h"
#include "support/error.h"
#include "tests/modules/positions/support.h"
#include "tests/support/error_message.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;

namespace {

PositionalEncoding made(const PositionOptions& options) {
  PositionalEncoding positions(options, small_options(), Stack::encoder);
  positions->reset_parameters(Initializer(3));
  return positions;
}

PositionOptions with(const std::string& type, int64_t max_length, const std::string& beyond) {
  PositionOptions options;
  options.type = type;
  options.max_length = max_length;
  options.beyond = beyond;
  return options;
}

torch::Tensor valid_of(const std::vector<int64_t>& lengths) {
  return valid_positions(torch::tensor(lengths), *std::max_element(lengths.begin(), lengths.end()), torch::kCPU);
}

}  // namespace

TEST_CASE("Sinusoids are the paper's, interleaved") {
  const auto stored = expected("sinusoids.json");
  CHECK(difference(sinusoidal_table({0, 5}, stored["d_model"]), tensor_of(stored["table"])) < 1e-12);
  CHECK(difference(sinusoidal_table({2, 3}, 6), sinusoidal_table({0, 5}, 6).narrow(0, 2, 3)) == 0);
  CHECK(sinusoidal_table({0, 1}, 4).equal(torch::tensor({0.0, 1.0, 0.0, 1.0}, torch::kFloat64).view({1, 4})));
}

TEST_CASE("Every layout of sinusoids agrees with its formula, at every base and before position 0") {
  for (const auto& stored : nlohmann::json(expected("positions.json")["sinusoids"])) {
    INFO(stored["layout"] << ", width " << stored["width"]);
    const auto layout = sinusoid_layout(stored["layout"]);
    const auto table = sinusoidal_table({stored["first"], 7}, stored["width"], layout, stored["base"]);
    CHECK(difference(table, tensor_of(stored["table"])) < 1e-12);
  }
  CHECK(sinusoidal_table({0, 1}, 4, SinusoidLayout::halves)
            .equal(torch::tensor({0.0, 0.0, 1.0, 1.0}, torch::kFloat64).view({1, 4})));
}

TEST_CASE("Layout and base of the options reach the sinusoids") {
  const auto zeros = torch::zeros({1, 3, 8}, torch::kFloat64);
  PositionOptions options;
  options.base = 50;
  for (const auto& layout : sinusoid_layouts()) {
    options.layout = layout;
    CHECK(difference(made(options)->forward(zeros, {2, 3})[0],
                     sinusoidal_table({2, 3}, 8, sinusoid_layout(layout), 50)) < 1e-15);
  }
}

TEST_CASE("Sinusoids have no limit") {
  auto positions = made(with("sinusoidal", 4, "error"));
  const auto zeros = torch::zeros({1, 3, 8}, torch::kFloat64);
  CHECK(difference(positions->forward(zeros, {5000, 3})[0], sinusoidal_table({5000, 3}, 8)) < 1e-12);
  CHECK(difference(positions->forward(zeros, {0, 3})[0], sinusoidal_table({0, 3}, 8)) == 0);
}

TEST_CASE("A growing table gives the rows that were asked for, in whatever order") {
  GrowingTable table([](PositionRange range) { return torch::arange(range.first, range.end(), torch::kFloat64); });
  for (const auto& range : std::vector<PositionRange>{{0, 3}, {-4, 6}, {1000, 2}, {-700, 5}, {3, 1}, {-4, 6}}) {
    for (const auto dtype : {torch::kFloat64, torch::kInt64}) {
      CHECK(table.rows(range, dtype).equal(torch::arange(range.first, range.end(), dtype)));
    }
  }
}

TEST_CASE("A table that grew in inference mode serves training") {
  GrowingTable table([](PositionRange range) { return torch::arange(range.first, range.end(), torch::kFloat64); });
  {
    const c10::InferenceMode inference;
    table.rows({0, 5000}, torch::kFloat64);
  }
  const auto x = torch::ones({3}, torch::kFloat64).requires_grad_();
  (x * table.rows({4000, 3}, torch::kFloat64)).sum().backward();  // saves the rows for the gradient
  CHECK(x.grad().equal(torch::tensor({4000.0, 4001.0, 4002.0}, torch::kFloat64)));
}

TEST_CASE("A learned table takes exactly max_length positions") {
  const auto zeros = torch::zeros({1, 6, 8});
  auto strict = made(with("learned", 6, "error"));
  const auto all = strict->forward(zeros, {0, 6});
  CHECK(all[0].equal(strict->named_parameters()["method.table"]));
  CHECK_THROWS_AS(strict->forward(zeros, {1, 6}), attnlab::Error);
  CHECK(attnlab::tests::mentions(attnlab::tests::error_message([&] {
                                   strict->forward(torch::zeros({1, 7, 8}), {0, 7});
                                 }),
                                 "7 pieces", "max_length 6", "clamp"));
  auto clamped = made(with("learned", 6, "clamp"));
  const auto beyond = clamped->forward(zeros, {3, 6});
  CHECK(beyond[0].narrow(0, 0, 3).equal(all[0].narrow(0, 3, 3)));
  for (int64_t row = 3; row < 6; ++row) {
    CHECK(beyond[0][row].equal(all[0][5]));
  }
}

TEST_CASE("A stretched table: 3 rows over 5 tokens are row 0, half-way, row 1, half-way, row 2") {
  auto positions = made(with("learned", 3, "interpolate"));
  positions->to(torch::kFloat64);
  const auto table = positions->named_parameters()["method.table"];
  const auto output = positions->forward(torch::zeros({1, 5, 8}, torch::kFloat64), {0, 5})[0];
  const auto expected_rows =
      torch::stack({table[0], (table[0] + table[1]) / 2, table[1], (table[1] + table[2]) / 2, table[2]});
  CHECK(difference(output, expected_rows) < 1e-15);
  // Exactly as long as the table, and shorter beside a longer one: not stretched.
  CHECK(positions->forward(torch::zeros({1, 3, 8}, torch::kFloat64), {0, 3})[0].equal(table));
  const auto both = positions->forward(torch::zeros({2, 5, 8}, torch::kFloat64), {0, 5}, valid_of({5, 3}));
  CHECK(both[1].narrow(0, 0, 3).equal(table));
}

TEST_CASE("Padding does not change how a table is stretched") {
  auto positions = made(with("learned", 4, "interpolate"));
  positions->to(torch::kFloat64);
  const auto zeros = torch::zeros({2, 40, 8}, torch::kFloat64);
  const auto alone = positions->forward(zeros.narrow(0, 0, 1).narrow(1, 0, 7), {0, 7});
  for (const int64_t longer : {8, 12, 40}) {
    const auto beside = positions->forward(zeros.narrow(1, 0, longer), {0, longer}, valid_of({7, longer}));
    CHECK(difference(beside[0].narrow(0, 0, 7), alone[0]) == 0);
  }
}

TEST_CASE("Learned and hybrid positions agree with their formulas at the end of the table and beyond it") {
  for (const auto& stored : nlohmann::json(expected("positions.json")["embed"])) {
    INFO(stored["name"]);
    auto model = small_options();
    model.d_model = stored["d_model"];
    auto options = options_of(stored);
    options.max_length = stored["max_length"];
    options.beyond = stored["beyond"];
    PositionalEncoding positions(options, model, Stack::encoder);
    load(*positions, stored["parameters"], torch::kFloat64);
    const auto r = tensor_of(stored["r"]);
    const auto lengths = stored["lengths"].get<std::vector<int64_t>>();
    const auto output = positions->forward(torch::zeros_like(r), {0, r.size(1)}, valid_of(lengths));
    CHECK(difference(output * r.ne(0), tensor_of(stored["output"]) * r.ne(0)) < 1e-12);
    (output * r).sum().backward();
    check_gradients(*positions, stored["gradients"], 1e-12);
  }
}

TEST_CASE("The gradient of a learned table agrees with differences, within it and beyond it") {
  for (const auto* type : {"learned", "hybrid"}) {
    for (const auto* beyond : {"clamp", "interpolate"}) {
      INFO(type << ", " << beyond);
      auto positions = made(with(type, 3, beyond));
      positions->to(torch::kFloat64);
      const auto x = scattered({2, 5, 8}).requires_grad_();
      check_by_differences([&] { return positions->forward(x.narrow(1, 0, 3), {0, 3}); }, leaves(*positions, {x}));
      check_by_differences([&] { return positions->forward(x, {0, 5}, valid_of({5, 4})); }, leaves(*positions, {x}));
    }
  }
}

TEST_CASE("No positions leave the embeddings alone") {
  const auto x = scattered({2, 3, 8});
  CHECK(made(with("none", 4, "error"))->forward(x, {0, 3}).is_same(x));
}

TEST_CASE("An unknown method is refused with the nearest name") {
  CHECK(attnlab::tests::mentions(attnlab::tests::error_message([] { made(with("sinusoid", 4, "error")); }),
                                 "\"sinusoidal\""));
}

TEST_CASE("An option that changes a method's size is one that its traits name") {
  // Options without an effect are left out of a run's identity: a trait too few would take two models for one.
  for (const auto& variant : position_variants()) {
    if (variant.parameters == nullptr) {
      continue;
    }
    INFO(variant.name);
    const auto size = [&](auto change) {
      PositionOptions options;
      options.type = variant.name;
      change(options);
      return variant.parameters(options, small_options(), Stack::encoder);
    };
    const auto plain = size([](PositionOptions&) {});
    CHECK((size([](auto& options) { options.max_length = 7; }) != plain) == variant.traits.bounded);
    CHECK((size([](auto& options) { options.sinusoidal_width = 2; }) != plain) == variant.traits.divides_width);
    CHECK((size([](auto& options) { options.buckets = 6; }) != plain) == variant.traits.has_buckets);
    // T5 counts its buckets, not its distances.
    CHECK((size([](auto& options) { options.max_distance = 40; }) == plain || variant.traits.limits_distance));
  }
}

TEST_CASE("A method's traits say which of attention's hooks it has") {
  const auto model = small_options();
  const auto q = scattered({1, model.heads, 3, model.key_width()}, 0.2, torch::kFloat32);
  for (const auto& variant : position_variants()) {
    INFO(variant.name);
    PositionOptions options;
    options.type = variant.name;
    auto positions = variant.make(options, model, Stack::encoder);
    positions->reset_parameters(Initializer(3));
    const auto weights = torch::ones({1, model.heads, 3, 3});
    CHECK(variant.traits.rotates == !positions->rotate(q, {0, 3}).is_same(q));
    CHECK(variant.traits.bias == positions->bias(0, q, q, {0, 3}, {0, 3}).defined());
    CHECK(variant.traits.value_term == positions->value(0, weights, {0, 3}, {0, 3}).defined());
  }
}
