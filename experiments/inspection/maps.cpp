#include "experiments/inspection/maps.h"

namespace attnlab::inspection {

std::string to_string(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::encoder:
      return "encoder";
    case AttentionKind::decoder:
      return "decoder";
    default:
      return "cross";
  }
}

const Tokens& query_tokens(const Sentence& sentence, AttentionKind kind) {
  return kind == AttentionKind::encoder ? sentence.source : sentence.input;
}

const Tokens& key_tokens(const Sentence& sentence, AttentionKind kind) {
  return kind == AttentionKind::decoder ? sentence.input : sentence.source;
}

torch::Tensor special_mask(const Tokens& tokens) {
  torch::Tensor mask = torch::zeros({static_cast<int64_t>(tokens.size())}, torch::kBool);
  for (size_t i = 0; i < tokens.size(); ++i) mask[static_cast<int64_t>(i)] = tokens[i].special;
  return mask;
}

}  // namespace attnlab::inspection
