#pragma once
/// The target is the source: the least that a model must be able to learn.

#include "experiments/data/generate/registry.h"

namespace attnlab::data {

Sentence draw_copy(const spec::DataConfig& config, SplitName split, Random& random);

}  // namespace attnlab::data
