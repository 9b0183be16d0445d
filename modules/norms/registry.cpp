#include "modules/norms/registry.h"

#include "modules/norms/layer_norm.h"
#include "modules/norms/post.h"
#include "modules/norms/pre.h"

namespace attnlab::modules {

namespace {

int64_t gain_and_bias(int64_t d_model) {
  return 2 * d_model;
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
      {"layer_norm", "LayerNorm with gain and bias (the paper)", make_layer_norm, gain_and_bias},
  };
  return variants;
}

const std::vector<PlacementVariant>& placement_variants() {
  static const std::vector<PlacementVariant> variants = {
      {"post", "Norm(x + Sublayer(x)): the paper", {}, make_post},
      {"pre", "x + Sublayer(Norm(x)), and a final norm after each stack", {.final_norm = true}, make_pre},
  };
  return variants;
}

const NormVariant* find_norm(const std::string& name) {
  return find(norm_variants(), name);
}

const PlacementVariant* find_placement(const std::string& name) {
  return find(placement_variants(), name);
}

}  // namespace attnlab::modules
