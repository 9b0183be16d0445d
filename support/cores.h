#pragma once
/// How much of the machine this process may use.

#include <cstddef>
#include <filesystem>

namespace attnlab {

/// Cores on which this process may run, at least 1: those of the machine, less what an affinity mask (taskset, a job
/// scheduler) or a container's processor quota (cgroup v2 or v1, rounded up) takes away. `control_groups` is where the
/// quota stands: the root of v2, or the folder of v1's controllers.
size_t usable_cores(const std::filesystem::path& control_groups = "/sys/fs/cgroup");

}  // namespace attnlab
