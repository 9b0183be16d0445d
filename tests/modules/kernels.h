#pragma once
/// The attention kernels that a test of the paper's formula runs over.

#include <string>
#include <vector>

#include "modules/attention/registry.h"

namespace attnlab::modules::testing {

/// The names of the kernels that compute softmax(QK^T/sqrt(d_k))V, whatever way they go.
inline std::vector<std::string> exact_kernels() {
  std::vector<std::string> names;
  for (const auto& variant : attention_variants()) {
    if (variant.traits.exact) {
      names.push_back(variant.name);
    }
  }
  return names;
}

}  // namespace attnlab::modules::testing
