#include "experiments/probes/registry.h"

#include "experiments/probes/chance.h"
#include "experiments/probes/encodings.h"
#include "experiments/probes/gradients.h"
#include "experiments/probes/lengths.h"

namespace attnlab::probes {

const std::vector<ProbeVariant>& probe_variants() {
  static const std::vector<ProbeVariant> variants = {
      {"lengths", make_lengths},
      {"encodings", make_encodings},
      {"gradients", make_gradients},
      {"chance", make_chance},
  };
  return variants;
}

}  // namespace attnlab::probes
