#include "experiments/data/line_sample.h"

#include <vector>

#include "tests/support/catch.h"

namespace attnlab::data {
namespace {

std::vector<size_t> drawn(size_t available, size_t wanted) {
  LineSample sample(available, wanted);
  std::vector<size_t> lines;
  for (size_t i = 0; i < available; ++i)
    if (sample.draws()) lines.push_back(i);
  return lines;
}

}  // namespace

TEST_CASE("A sample has as many lines as were wanted, or all") {
  CHECK(drawn(1000, 100).size() == 100);
  CHECK(drawn(1000, 1).size() == 1);
  CHECK(drawn(1000, 999).size() == 999);
  CHECK(drawn(3, 3) == std::vector<size_t>{0, 1, 2});
  CHECK(drawn(3, 7) == std::vector<size_t>{0, 1, 2});
  CHECK(drawn(0, 7).empty());
  CHECK(drawn(3, 0).empty());
}

TEST_CASE("A sample is drawn evenly and always the same") {
  CHECK(drawn(5000, 500) == drawn(5000, 500));
  // 20,000 of 100,000 lines in ten equal parts: 2,000 expected in each, with a standard deviation of 38.
  std::vector<int> counts(10, 0);
  for (const size_t line : drawn(100'000, 20'000)) ++counts[line / 10'000];
  for (const int count : counts) {
    CHECK(count > 1850);
    CHECK(count < 2150);
  }
}

}  // namespace attnlab::data
