#include "modules/attention/problems.h"

#include <algorithm>

#include <fmt/format.h>

#include "modules/positions/registry.h"

namespace attnlab::modules {

namespace {

std::string name_of(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::encoder:
      return "encoder self-attention";
    case AttentionKind::decoder:
      return "decoder self-attention";
    default:
      return "cross-attention";
  }
}

/// Collects the problems of one kernel in one model.
class Check {
 public:
  Check(const AttentionVariant& variant, const TransformerOptions& model) : variant_(variant), model_(model) {}

  std::vector<std::string> run() {
    positions("encoder_positions.type", model_.encoder_positions.type);
    positions("decoder_positions.type", model_.decoder_positions.type);
    if (model_.dropout.attention > 0 && !traits_.dropout) {
      found_.push_back(
          fmt::format("attention: \"{}\" cannot drop attention weights, but dropout.attention is {}; use "
                      "\"auto\" or \"explicit\", or set dropout.attention to 0.",
                      variant_.name, model_.dropout.attention));
    }
    for (const auto kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
      refuse(!traits_.stands_in(kind), "cannot stand in " + name_of(kind));
      own(kind);
    }
    return std::move(found_);
  }

 private:
  void refuse(bool refused, const std::string& why) {
    if (refused) {
      found_.push_back(fmt::format("attention: \"{}\" {}; use \"auto\" or \"explicit\".", variant_.name, why));
    }
  }

  // What a stack's position method asks of the kernel.
  void positions(const std::string& key, const std::string& type) {
    if (const auto* method = find_positions(type)) {
      const auto& needs = method->traits;
      const auto which = fmt::format("which {} \"{}\"", key, type);
      refuse(needs.bias && !traits_.bias, fmt::format("takes no term of relative positions, {} needs", which));
      refuse(needs.value_term && !traits_.weights,
             fmt::format("does not give its weights, {} needs for its vectors beside the values", which));
      refuse(needs.rotates && !traits_.rotary, fmt::format("takes no turned queries and keys, {} makes", which));
    }
  }

  // What the kernel says of itself, once where it says the same of several attentions.
  void own(AttentionKind kind) {
    if (variant_.problems == nullptr || model_.d_model < 1 || model_.heads < 1) {
      return;
    }
    for (auto& problem : variant_.problems(MultiHeadAttentionOptions(model_, kind, /*layer_=*/0))) {
      if (std::find(found_.begin(), found_.end(), problem) == found_.end()) {
        found_.push_back(std::move(problem));
      }
    }
  }

  const AttentionVariant& variant_;
  const KernelTraits& traits_ = variant_.traits;
  const TransformerOptions& model_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> problems(const AttentionVariant& variant, const TransformerOptions& model) {
  return Check(variant, model).run();
}

}  // namespace attnlab::modules
