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

/// Cores that a container's quota amounts to; `unlimited` without one.
size_t cores_of_quota(size_t unlimited) {
  std::ifstream file("/sys/fs/cgroup/cpu.max");  // "max 100000", or "150000 100000" for one and a half
  double quota = 0, period = 0;
  if (!(file >> quota >> period) || period <= 0) return unlimited;
  return static_cast<size_t>(std::ceil(quota / period));
}

}  // namespace

size_t usable_cores() {
  const size_t cores = cores_of_affinity();
  return std::max<size_t>(1, std::min(cores, cores_of_quota(cores)));
}

}  // namespace attnlab
