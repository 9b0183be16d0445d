#pragma once
/// The target is the source backwards. Without positions this cannot be solved.

#include "experiments/data/generate/registry.h"

namespace attnlab::data {

Sentence draw_reverse(const spec::DataConfig& config, SplitName split, Random& random);

}  // namespace attnlab::data
