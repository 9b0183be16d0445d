#include "support/cores.h"

#include <sched.h>

#include "tests/support/catch.h"

namespace attnlab {
namespace {

TEST_CASE("an affinity mask counts") {
  cpu_set_t all;
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  CHECK(usable_cores() >= 1);
  CHECK(usable_cores() <= static_cast<size_t>(CPU_COUNT(&all)));

  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(usable_cores() == 1);
  REQUIRE(sched_setaffinity(0, sizeof all, &all) == 0);
}

}  // namespace
}  // namespace attnlab
