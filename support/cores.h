#pragma once
/// How much of the machine this process may use.

#include <cstddef>

namespace attnlab {

/// Cores on which this process may run, at least 1: those of the machine, less what an affinity mask (taskset, a job
/// scheduler) or a container's processor quota (cgroup v2, rounded up) takes away.
size_t usable_cores();

}  // namespace attnlab
