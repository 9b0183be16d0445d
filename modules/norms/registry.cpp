#include "modules/norms/registry.h"

#include "modules/norms/batch_norm.h"
#include "modules/norms/deep_norm.h"
#include "modules/norms/layer_norm.h"
#include "modules/norms/post.h"
#include "modules/norms/pre.h"
#include "modules/norms/rms_norm.h"
#include "modules/norms/sandwich.h"
#include "modules/norms/scale_norm.h"

namespace attnlab::modules {

namespace {

int64_t gain_and_bias(int64_t d_model) {
  return 2 * d_model;
}
int64_t gain_alone(int64_t d_model) {
  return d_model;
}
int64_t one_gain(int64_t) {
  return 1;
}

template <class Variant>
const Variant* find(const std::vector<Variant>& variants, const std::string& name) {
  for (const auto& variant : variants) {
    if (variant.name == name) {
      return &variant;
    }
  }
  return nullptr;
}

}  // namespace

const std::vector<NormVariant>& norm_variants() {
  static const std::vector<NormVariant> variants = {
      {"layer_norm", "LayerNorm with gain and bias: the norm of Vaswani et al. 2017", "Ba et al. 2016", make_layer_norm,
       gain_and_bias},
      {"rms_norm", "RMSNorm: no mean is taken away; a gain", "Zhang and Sennrich 2019", make_rms_norm, gain_alone},
      {"scale_norm", "ScaleNorm: each row to one length, a single gain, at first sqrt(D)", "Nguyen and Salazar 2019",
       make_scale_norm, one_gain},
      {"batch_norm",
       "BatchNorm over batch and time without padding, momentum 0.1; in training a row sees the whole batch and so the "
       "future; for comparison only",
       "Ioffe and Szegedy 2015", make_batch_norm, gain_and_bias, /*over_batch=*/true},
  };
  return variants;
}

const std::vector<PlacementVariant>& placement_variants() {
  static const std::vector<PlacementVariant> variants = {
      {"post", "Norm(x + Sublayer(x))", "Vaswani et al. 2017", {}, make_post},
      {"pre",
       "x + Sublayer(Norm(x)), and a final norm after each stack",
       "Xiong et al. 2020",
       {.final_norm = true},
       make_pre},
      {"sandwich",
       "x + Norm(Sublayer(Norm(x))), and a final norm after each stack",
       "Ding et al. 2021",
       {.norms = 2, .final_norm = true},
       make_sandwich},
      {"deep_norm",
       "Norm(alpha x + Sublayer(x)), with a smaller start by beta; both from the depth",
       "Wang et al. 2022",
       {},
       make_post,
       deep_norm_scales},
  };
  return variants;
}

const NormVariant* find_norm(const std::string& name) {
  return find(norm_variants(), name);
}

const PlacementVariant* find_placement(const std::string& name) {
  return find(placement_variants(), name);
}

PlacementScales placement_scales(const TransformerOptions& model, Stack stack) {
  const auto* variant = find_placement(model.norm.placement);
  auto scales = variant != nullptr && variant->scales != nullptr ? variant->scales(model, stack) : PlacementScales{};
  if (model.norm.residual_scale > 0) {
    scales.residual = model.norm.residual_scale;
  }
  if (model.norm.initial_scale > 0) {
    scales.initial = model.norm.initial_scale;
  }
  return scales;
}

}  // namespace attnlab::modules
