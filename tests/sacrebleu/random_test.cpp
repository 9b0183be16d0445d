#include "sacrebleu/random.h"

#include "tests/sacrebleu/expect_error.h"
#include "tests/support/catch.h"

namespace sacrebleu {
namespace {

// Expected numbers: numpy.random.default_rng(seed).bit_generator.random_raw().
TEST_CASE("NumPy's raw draws", "[sacrebleu]") {
  CHECK(Pcg64("12345").next64() == 4193609425186963869ULL);
  CHECK(Pcg64("0").next64() == 11749869230777074271ULL);
  CHECK(Pcg64("1361129467683753853853498429727072845829").next64() == 3038446663804577988ULL);
}

TEST_CASE("Draws below n", "[sacrebleu]") {
  Pcg64 generator("12345");
  std::vector<std::uint32_t> indices;
  for (int i = 0; i < 10; ++i) indices.push_back(generator.below(12));
  CHECK(indices == std::vector<std::uint32_t>{8, 2, 9, 3, 2, 9, 7, 8, 11, 4});
  Pcg64 untouched("12345");
  for (int i = 0; i < 10; ++i) CHECK(untouched.below(1) == 0);
  CHECK(untouched.next64() == 4193609425186963869ULL);
}

TEST_CASE("Coin tosses come the same in any portions", "[sacrebleu]") {
  Pcg64 one("7"), other("7");
  BoolStream single(one), bytes(other);
  for (int i = 0; i < 200; ++i) {
    const int count = 1 + i % 8;
    std::uint32_t expected = 0;
    for (int bit = 0; bit < count; ++bit) expected |= single.next(1) << bit;
    REQUIRE(bytes.next(count) == expected);
  }
}

TEST_CASE("Seeds that are no numbers are refused", "[sacrebleu]") {
  expect_error([] { Pcg64("-1"); }, ErrorKind::value, "non-negative integer");
  expect_error([] { Pcg64{""}; }, ErrorKind::value, "non-negative integer");
}

TEST_CASE("Without a seed two generators differ", "[sacrebleu]") {
  CHECK(Pcg64(std::nullopt).next64() != Pcg64(std::nullopt).next64());
}

}  // namespace
}  // namespace sacrebleu
