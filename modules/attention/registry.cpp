#include "modules/attention/registry.h"

#include "modules/attention/auto_kernel.h"
#include "modules/attention/explicit_kernel.h"
#include "modules/attention/fused_kernel.h"

namespace attnlab::modules {

const std::vector<AttentionVariant>& attention_variants() {
  static const std::vector<AttentionVariant> variants = {
      {"auto",
       "the fastest kernel that can do what is asked",
       "",
       {.weights = true, .dropout = true, .bias = true, .routed = true},
       make_auto_kernel},
      {"explicit",
       "writes softmax(QK^T/sqrt(d_k))V out and keeps every weight; can do everything",
       "Vaswani et al. 2017",
       {.weights = true, .dropout = true, .bias = true},
       make_explicit_kernel},
      {"fused",
       "LibTorch's scaled_dot_product_attention; no dropout of attention weights",
       "",
       {.bias = true},
       make_fused_kernel},
  };
  return variants;
}

const AttentionVariant* find_attention(const std::string& name) {
  for (const auto& variant : attention_variants()) {
    if (variant.name == name) {
      return &variant;
    }
  }
  return nullptr;
}

}  // namespace attnlab::modules
