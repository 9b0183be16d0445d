#pragma once
/// No positions at all: the encoder then sees a bag of words (the decoder still has its causal mask).

#include <memory>

#include "modules/options.h"
#include "modules/positions/positions.h"

namespace attnlab::modules {

std::shared_ptr<Positions> make_no_positions(const PositionOptions& options, const TransformerOptions& model,
                                             Stack stack);

}  // namespace attnlab::modules
