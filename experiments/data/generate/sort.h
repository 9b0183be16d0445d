#pragma once
/// The target is the source in ascending order. Equal numbers keep their order in the gold alignment.

#include "experiments/data/generate/registry.h"

namespace attnlab::data {

Sentence draw_sort(const spec::DataConfig& config, SplitName split, Random& random);

}  // namespace attnlab::data
