#include "modules/decoder_cache.h"

#include <algorithm>

namespace attnlab::modules {

namespace {

// A held tensor [B, H, t, width] is the front of a buffer [B, H, room, width]; its strides tell how much room there is.
int64_t room(const torch::Tensor& held) {
  return std::max(held.size(2), held.stride(1) / held.stride(2));  // strides of a single position say nothing
}

torch::Tensor front_of_buffer(int64_t batch, const torch::Tensor& like, int64_t length, int64_t room) {
  return torch::empty({batch, like.size(1), room, like.size(3)}, like.options()).narrow(2, 0, length);
}

torch::Tensor appended(const torch::Tensor& held, const torch::Tensor& next) {
  const int64_t before = held.defined() ? held.size(2) : 0, after = before + next.size(2);
  torch::Tensor longer;
  if (before > 0 && after <= room(held)) {
    longer = held.as_strided({held.size(0), held.size(1), after, held.size(3)}, held.strides());
  } else {
    longer = front_of_buffer(next.size(0), next, after, std::max<int64_t>(16, 2 * after));
    if (before > 0) {
      longer.narrow(2, 0, before).copy_(held);
    }
  }
  longer.narrow(2, before, next.size(2)).copy_(next);
  return longer;
}

void select_rows(torch::Tensor& held, const torch::Tensor& rows) {
  if (held.defined()) {
    auto chosen = front_of_buffer(rows.size(0), held, held.size(2), room(held));
    torch::index_select_out(chosen, held, 0, rows);
    held = chosen;
  }
}

}  // namespace

void LayerCache::append(const torch::Tensor& key, const torch::Tensor& value) {
  self_key = appended(self_key, key);
  self_value = appended(self_value, value);
}

void DecoderCache::select(const torch::Tensor& rows) {
  const torch::NoGradGuard no_grad;
  reorder(rows);
  for (auto& layer : layers) {
    select_rows(layer.cross_key, rows);
    select_rows(layer.cross_value, rows);
  }
}

void DecoderCache::reorder(const torch::Tensor& rows) {
  const torch::NoGradGuard no_grad;
  for (auto& layer : layers) {
    select_rows(layer.self_key, rows);
    select_rows(layer.self_value, rows);
  }
}

}  // namespace attnlab::modules
