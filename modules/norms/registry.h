#pragma once
/// All norms and all placements by name. No torch here, so that a spec can be read and checked without it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "modules/options.h"

namespace attnlab::modules {

class Norm;
class Placement;

/// One norm.
struct NormVariant {
  std::string name;         ///< value of `norm.type`
  std::string description;  ///< one line for a person
  std::string paper;        ///< where it comes from; empty: no single one
  std::shared_ptr<Norm> (*make)(const NormOptions& options, int64_t d_model);
  int64_t (*parameters)(int64_t d_model);  ///< how many parameters it has
  bool over_batch = false;                 ///< a row's result depends on the other rows of the batch, in training
};

/// What a placement needs.
struct PlacementTraits {
  int norms = 1;            ///< norms of each sub-layer
  bool final_norm = false;  ///< one more norm after the last layer of each stack
};

/// How one stack's sub-layers are scaled.
struct PlacementScales {
  double residual = 1;  ///< x is multiplied by it where a sub-layer's output is added (DeepNorm's alpha)
  double initial = 1;   ///< the start of FFN, W_V and W_O is multiplied by it (DeepNorm's beta)
};

/// One placement.
struct PlacementVariant {
  std::string name;         ///< value of `norm.placement`
  std::string description;  ///< one line for a person
  std::string paper;        ///< where it comes from; empty: no single one
  PlacementTraits traits;
  std::unique_ptr<Placement> (*make)(const TransformerOptions& model, Stack stack);
  PlacementScales (*scales)(const TransformerOptions& model, Stack stack) = nullptr;  ///< null: both are 1
};

/// Every norm, in the order in which they are shown.
const std::vector<NormVariant>& norm_variants();
/// Every placement, in the order in which they are shown.
const std::vector<PlacementVariant>& placement_variants();

/// The norm of that name, or null.
const NormVariant* find_norm(const std::string& name);
/// The placement of that name, or null.
const PlacementVariant* find_placement(const std::string& name);

/// The scales of one stack of `model`: `norm.residual_scale` and `norm.initial_scale` where they are set, the
/// placement's own elsewhere.
PlacementScales placement_scales(const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
