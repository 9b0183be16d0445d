#pragma once
/// The pictures of the study of norms.

#include <string>

#include "experiments/page/svg.h"
#include "experiments/studies/norms_runs.h"

namespace attnlab::studies {

/// How many runs train, by learning rate and warm-up: a block for each placement and whatever else is varied.
page::Svg draw_outcome_map(const NormCells& cells);

/// W_2 by layer, one curve for each block and stack; at the start all rates and warm-ups of a seed are the same model.
page::Svg draw_gradients(const NormCells& cells, const std::string& when, const std::string& title);

}  // namespace attnlab::studies
