#pragma once
/// Which validation was the best, and when to give up.

#include <cstdint>

#include "experiments/checkpoint/training_state.h"

namespace attnlab::training {

/// Takes note of a validation. True if `loss` is finite and lower than every one before: NaN and infinity are never
/// best, and never keep a later one from being it; they count as validations without gain.
bool note_validation(checkpoint::Progress& progress, double loss);

/// Whether `patience` validations in a row brought no gain; patience 0 never gives up.
bool out_of_patience(const checkpoint::Progress& progress, int64_t patience);

}  // namespace attnlab::training
