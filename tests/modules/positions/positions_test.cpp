// Position methods: the paper's table, learned tables up to their end and beyond it.

#include "modules/positions/positions.h"

#include "modules/positional_encoding.h"
#include "modules/positions/sinusoidal.h"
#include "support/error.h"
#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;

namespace {

PositionalEncoding made(const PositionOptions& options) {
  PositionalEncoding positions(options, small_options(), Stack::encoder);
  positions->reset_parameters(Initializer(3));
  return positions;
}

}  // namespace

TEST_CASE("Sinusoids are the paper's, interleaved") {
  const auto stored = expected("sinusoids.json");
  CHECK(difference(sinusoidal_table({0, 5}, stored["d_model"]), tensor_of(stored["table"])) < 1e-12);
  CHECK(difference(sinusoidal_table({2, 3}, 6), sinusoidal_table({0, 5}, 6).narrow(0, 2, 3)) == 0);
  CHECK(sinusoidal_table({0, 1}, 4).equal(torch::tensor({0.0, 1.0, 0.0, 1.0}, torch::kFloat64).view({1, 4})));
}

TEST_CASE("Sinusoids have no limit") {
  auto positions = made({"sinusoidal", /*max_length=*/4, "error"});
  const auto zeros = torch::zeros({1, 3, 8}, torch::kFloat64);
  CHECK(difference(positions->forward(zeros, {5000, 3})[0], sinusoidal_table({5000, 3}, 8)) < 1e-12);
  CHECK(difference(positions->forward(zeros, {0, 3})[0], sinusoidal_table({0, 3}, 8)) == 0);
}

TEST_CASE("A learned table takes exactly max_length positions") {
  const auto zeros = torch::zeros({1, 6, 8});
  auto strict = made({"learned", 6, "error"});
  const auto all = strict->forward(zeros, {0, 6});
  CHECK(all[0].equal(strict->named_parameters()["method.table"]));
  CHECK_THROWS_AS(strict->forward(zeros, {1, 6}), attnlab::Error);
  try {
    strict->forward(torch::zeros({1, 7, 8}), {0, 7});
  } catch (const attnlab::Error& error) {
    const std::string message = error.what();
    CHECK(message.find("7 pieces") != std::string::npos);
    CHECK(message.find("max_length 6") != std::string::npos);
    CHECK(message.find("clamp") != std::string::npos);
  }
  auto clamped = made({"learned", 6, "clamp"});
  const auto beyond = clamped->forward(zeros, {3, 6});
  CHECK(beyond[0].narrow(0, 0, 3).equal(all[0].narrow(0, 3, 3)));
  for (int64_t row = 3; row < 6; ++row) {
    CHECK(beyond[0][row].equal(all[0][5]));
  }
}

TEST_CASE("The gradient of a learned table agrees with differences, within it and beyond it") {
  auto positions = made({"learned", 3, "clamp"});
  positions->to(torch::kFloat64);
  const auto x = scattered({2, 3, 8}).requires_grad_();
  check_by_differences([&] { return positions->forward(x, {0, 3}); }, leaves(*positions, {x}));
  check_by_differences([&] { return positions->forward(x, {2, 3}); }, leaves(*positions, {x}));
}

TEST_CASE("No positions leave the embeddings alone") {
  const auto x = scattered({2, 3, 8});
  CHECK(made({"none", 4, "error"})->forward(x, {0, 3}).is_same(x));
}

TEST_CASE("An unknown method is refused with the nearest name") {
  try {
    made({"sinusoid", 4, "error"});
    FAIL("accepted");
  } catch (const attnlab::Error& error) {
    CHECK(std::string(error.what()).find("\"sinusoidal\"") != std::string::npos);
  }
}
