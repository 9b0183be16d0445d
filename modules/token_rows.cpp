#include "modules/token_rows.h"

#include <vector>

#include "modules/transfer.h"

namespace attnlab::modules {

namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

Tensor taken(const Tensor& from, const Tensor& places) {
  return from.index_select(0, places);
}

Tensor placed(const Tensor& rows, const Tensor& places, int64_t count) {
  auto sizes = rows.sizes().vec();
  sizes.front() = count;
  return torch::zeros(sizes, rows.options()).index_copy_(0, places, rows);
}

// Autograd would add the gradients of `index_select` one by one, as if a place could be taken twice.
struct Take : torch::autograd::Function<Take> {
  static Tensor forward(AutogradContext* context, const Tensor& from, const Tensor& places) {
    context->save_for_backward({places});
    context->saved_data["count"] = from.size(0);
    return taken(from, places);
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    return {placed(gradients[0], context->get_saved_variables()[0], context->saved_data["count"].toInt()), {}};
  }
};

struct Put : torch::autograd::Function<Put> {
  static Tensor forward(AutogradContext* context, const Tensor& rows, const Tensor& places, int64_t count) {
    context->save_for_backward({places});
    return placed(rows, places, count);
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    return {taken(gradients[0], context->get_saved_variables()[0]), {}, {}};
  }
};

std::vector<int64_t> places_of(const Tensor& lengths, int64_t width) {
  std::vector<int64_t> places;
  const auto* length = lengths.const_data_ptr<int64_t>();
  for (int64_t b = 0; b < lengths.size(0); ++b) {
    for (int64_t t = 0; t < length[b]; ++t) {
      places.push_back(b * width + t);
    }
  }
  return places;
}

}  // namespace

TokenRows::TokenRows(const Tensor& lengths, int64_t width, torch::Device device, int64_t first_row)
    : width_(width), first_row_(first_row), lengths_(lengths.cpu().contiguous()) {
  starts_ = lengths_.cumsum(0) - lengths_;
  const auto places = places_of(lengths_, width);
  count_ = static_cast<int64_t>(places.size());
  if (count_ < batch() * width) {
    places_ = on_device(torch::tensor(places, torch::kInt64), device);
  }
}

Tensor TokenRows::gather(const Tensor& padded) const {
  const auto rows = padded.flatten(0, 1);
  return places_.defined() ? Take::apply(rows, places_) : rows;
}

Tensor TokenRows::scatter(const Tensor& rows) const {
  const auto padded = places_.defined() ? Put::apply(rows, places_, batch() * width_) : rows;
  return padded.unflatten(0, {batch(), width_});
}

}  // namespace attnlab::modules
