#pragma once
/// All probes by name.

#include <memory>
#include <string>
#include <vector>

#include "experiments/probes/probe.h"

namespace attnlab::probes {

/// One probe.
struct ProbeVariant {
  std::string name;  ///< an item of `evaluation.probes`
  std::unique_ptr<Probe> (*make)(const ProbeInput& input);
};

/// Every probe, in the order in which they are shown.
const std::vector<ProbeVariant>& probe_variants();

}  // namespace attnlab::probes
