#pragma once
/// All attention kernels by name. No torch here, so that a spec can be read and checked without it.

#include <memory>
#include <string>
#include <vector>

namespace attnlab::modules {

class AttentionKernel;

/// What a kernel can do. The explicit kernel steps in where the chosen one cannot give weights that are to be recorded;
/// anything else that is missing is refused when the options are checked.
struct KernelTraits {
  bool weights = false;  ///< gives the weights of every head
  bool dropout = false;  ///< drops weights by our generator
  bool bias = false;     ///< takes a term that is added to the scores (relative positions)
  bool causal = true;    ///< can stand in decoder self-attention
  bool cross = true;     ///< can stand in cross-attention
};

/// One kernel.
struct AttentionVariant {
  std::string name;         ///< value of the option `attention`
  std::string description;  ///< one line for a person
  KernelTraits traits;
  std::shared_ptr<AttentionKernel> (*make)();
};

/// Every kernel, in the order in which they are shown. The name `auto` is not among them: it stands for the fastest
/// that can do what is asked: `packed_attention` on a CPU, else `fused`, else `explicit`.
const std::vector<AttentionVariant>& attention_variants();

/// The kernel of that name, or null.
const AttentionVariant* find_attention(const std::string& name);

}  // namespace attnlab::modules
