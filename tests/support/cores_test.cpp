#include "support/cores.h"

#include <filesystem>

#include <sched.h>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

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

TEST_CASE("a container's quota counts, of cgroup v2 and of v1") {
  const tests::TemporaryFolder none, v2, v1;
  const size_t all = usable_cores(none.path());
  std::filesystem::create_directory(v1.path() / "cpu");
  const auto of_v2 = [&](const char* max) {
    v2.write("cpu.max", max);
    return usable_cores(v2.path());
  };
  const auto of_v1 = [&](const char* quota) {
    v1.write("cpu/cpu.cfs_quota_us", quota);
    v1.write("cpu/cpu.cfs_period_us", "100000\n");
    return usable_cores(v1.path());
  };
  CHECK(of_v2("max 100000\n") == all);
  CHECK(of_v1("-1\n") == all);
  CHECK(of_v2("50000 100000\n") == 1);
  CHECK(of_v1("50000\n") == 1);
  if (all < 2) {
    WARN("skipped: quotas of more than one core, because there is only one here");
    return;
  }
  CHECK(of_v2("150000 100000\n") == 2);
  CHECK(of_v1("150000\n") == 2);
}

}  // namespace
}  // namespace attnlab
