#include "support/cores.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>

#include <sched.h>

namespace attnlab {

namespace {

size_t cores_of_affinity() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return std::thread::hardware_concurrency();
  return static_cast<size_t>(CPU_COUNT(&set));
}

/// Cores that `quota` microseconds of each `period` amount to; `unlimited` without a quota (v1 says -1).
size_t cores_of(double quota, double period, size_t unlimited) {
  return quota > 0 && period > 0 ? static_cast<size_t>(std::ceil(quota / period)) : unlimited;
}

double number_in(const std::filesystem::path& path) {
  double value = 0;
  std::ifstream(path) >> value;
  return value;
}

/// Cores that a container's quota amounts to; `unlimited` without one.
size_t cores_of_quota(const std::filesystem::path& root, size_t unlimited) {
  double quota = 0, period = 0;
  // v2: "max 100000", or "150000 100000" for one and a half
  if (std::ifstream(root / "cpu.max") >> quota >> period) return cores_of(quota, period, unlimited);
  const std::filesystem::path cpu = root / "cpu";  // v1; where it is mounted as cpu,cpuacct, this is a link to that
  return cores_of(number_in(cpu / "cpu.cfs_quota_us"), number_in(cpu / "cpu.cfs_period_us"), unlimited);
}

}  // namespace

size_t usable_cores(const std::filesystem::path& control_groups) {
  const size_t cores = cores_of_affinity();
  return std::max<size_t>(1, std::min(cores, cores_of_quota(control_groups, cores)));
}

}  // namespace attnlab
