#include "modules/attention/visible.h"

#include <utility>

#include "modules/transfer.h"

namespace attnlab::modules {

torch::Tensor valid_positions(const torch::Tensor& lengths, int64_t length, torch::Device device) {
  if (lengths.is_cpu() && (lengths.numel() == 0 || lengths.min().item<int64_t>() >= length)) {
    return {};
  }
  const auto counts = on_device(lengths, device);
  return torch::arange(length, counts.options()).unsqueeze(0) < counts.unsqueeze(1);  // [B, length]
}

Visible Visible::tokens(torch::Tensor valid) {
  Visible visible;
  visible.keys_ = std::move(valid);
  if (visible.keys_.defined() && visible.keys_.is_cpu()) {
    visible.counts_ = visible.keys_.sum(-1);
  }
  return visible;
}

Visible Visible::past() {
  Visible visible;
  visible.causal_ = true;
  return visible;
}

torch::Tensor Visible::mask(int64_t queries, int64_t keys, torch::Device device) const {
  if (sees_all(queries)) {
    return {};
  }
  torch::Tensor mask;
  if (keys_.defined()) {
    mask = keys_.unsqueeze(1).unsqueeze(1);  // [B, 1, 1, Tk]
  }
  if (causal_ && queries > 1) {
    const auto triangle = torch::ones({queries, keys}, torch::dtype(torch::kBool).device(device)).tril(keys - queries);
    mask = mask.defined() ? mask.logical_and(triangle) : triangle.view({1, 1, queries, keys});
  }
  return mask;
}

}  // namespace attnlab::modules
