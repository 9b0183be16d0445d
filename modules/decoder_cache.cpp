#include "modules/decoder_cache.h"

namespace attnlab::modules {

namespace {

void select_rows(torch::Tensor& held, const torch::Tensor& rows) {
  if (held.defined()) {
    held = held.index_select(0, rows);
  }
}

torch::Tensor numbers(int64_t first, int64_t count, torch::Device device) {
  return torch::arange(first, first + count, torch::dtype(torch::kInt64).device(device));
}

}  // namespace

void DecoderCache::select(const torch::Tensor& rows) {
  sentences_ = sentences_.defined() ? sentences_.index_select(0, rows) : rows;
  select_rows(self_places_, rows);
  select_rows(cross_places_, rows);
  memory_visible_.reset();
}

void DecoderCache::begin_step(int64_t rows, int64_t count, int64_t memory_length, torch::Device device) {
  const int64_t used = layers_.front().self.pool.used;  // the same in every layer
  const auto added = numbers(used, rows * count, device).view({rows, count});
  self_places_ = self_places_.defined() ? torch::cat({self_places_, added}, 1) : added;
  if (!cross_places_.defined()) {
    const auto sentences = sentences_.defined() ? sentences_ : numbers(0, rows, device);
    cross_places_ = sentences.unsqueeze(1) * memory_length + numbers(0, memory_length, device);
  }
  for (auto& layer : layers_) {
    layer.self.pool.places = self_places_;
    layer.cross.pool.places = cross_places_;
  }
}

const Visible& DecoderCache::memory_visible(const torch::Tensor& lengths, int64_t memory_length, torch::Device device) {
  if (!memory_visible_) {
    const auto of_rows =
        sentences_.defined() ? lengths.index_select(0, sentences_.to(lengths.device())) : lengths;  // [R]
    memory_visible_ = Visible::tokens(valid_positions(of_rows, memory_length, device));
  }
  return *memory_visible_;
}

}  // namespace attnlab::modules
