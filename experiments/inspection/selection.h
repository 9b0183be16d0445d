#pragma once
/// Which kinds, layers and heads are looked at.

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/inspection/maps.h"
#include "modules/options.h"

namespace attnlab::inspection {

/// A choice of heads. Empty lists stand for all.
struct Selection {
  std::vector<AttentionKind> kinds;
  std::vector<int64_t> layers, heads;  ///< from 0
};

/// Reads the choice from comma-separated lists: `kinds` of encoder, decoder, cross; `layers` and `heads` of numbers
/// from 0; each may be `all`. The result names everything. Throws attnlab::Error for what `model` does not have. A
/// layer that only one of the two stacks has is taken from that one.
Selection parse_selection(const std::string& kinds, const std::string& layers, const std::string& heads,
                          const modules::TransformerOptions& model);

/// Layers of the model's stack that a kind belongs to.
int64_t layer_count(const modules::TransformerOptions& model, AttentionKind kind);

/// The chosen layers that this kind has.
std::vector<int64_t> layers_of(const Selection& selection, AttentionKind kind,
                               const modules::TransformerOptions& model);

}  // namespace attnlab::inspection
