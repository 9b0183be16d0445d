#pragma once
/// One head's weights for a terminal: a row of shades for each query.

#include <string>

#include "experiments/inspection/maps.h"
#include "modules/torch.h"

namespace attnlab::inspection {

/// A matrix [Tq, Tk] drawn with the shades " ░▒▓█" (below 5, 20, 40, 60 % and above), two cells a key, with row labels
/// and numbered columns whose tokens are listed below. Control and direction characters in tokens are shown as U+XXXX.
std::string draw_text(const torch::Tensor& weights, const Tokens& queries, const Tokens& keys,
                      const std::string& title);

}  // namespace attnlab::inspection
