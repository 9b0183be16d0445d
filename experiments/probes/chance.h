#pragma once
/// The loss of a guess: what a model gains that knows nothing but how frequent each piece is. A training whose
/// validation loss stays near it has not learnt to look at its input.

#include <memory>
#include <vector>

#include "experiments/probes/probe.h"

namespace attnlab::probes {

/// Cross-entropy in nats per piece of the targets of `held_out` (with the end mark) under the frequencies of the pieces
/// in the targets of `train`, each of the `vocab` pieces counted once more than it occurs, so that none is impossible.
/// Both lists must have a pair.
double unigram_loss(const data::Pairs& train, const data::Pairs& held_out, int64_t vocab);

/// Metric `chance.unigram_loss`: of the validation pairs. Needs no trained model.
std::unique_ptr<Probe> make_chance(const ProbeInput& input);

}  // namespace attnlab::probes
