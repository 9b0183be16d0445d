#include "experiments/training/replicas.h"

#include <ATen/Parallel.h>

#include "modules/norms/registry.h"

namespace attnlab::training {
namespace {

int64_t useful_count(const modules::Transformer& model, const FlatParameters& parameters) {
  const int64_t threads = at::get_num_threads();
  const auto* norm = modules::find_norm(model->options().norm.type);
  const bool apart = parameters.values().is_cpu() && !(norm != nullptr && norm->over_batch);
  const int64_t copies = Replicas::most_gradient_bytes / static_cast<int64_t>(parameters.values().nbytes());
  // Fewer than the threads would leave some without work: then it is better to split every operator.
  return apart && threads - 1 <= copies ? threads : 1;
}

}  // namespace

Replicas::Replicas(modules::Transformer& model, FlatParameters& parameters) : model_(model), parameters_(parameters) {
  for (int64_t i = useful_count(model, parameters); i > 1; --i) {
    modules::Transformer copy(model->options());
    copy->train();
    torch::Tensor gradients = parameters.share_with(*copy);
    copies_.push_back({copy, gradients});
  }
}

modules::Transformer& Replicas::model(int64_t index) {
  return index == 0 ? model_ : copies_[static_cast<size_t>(index) - 1].model;
}

void Replicas::zero_gradients(int64_t index) {
  if (index == 0) {
    parameters_.zero_gradients();
  } else {
    copies_[static_cast<size_t>(index) - 1].gradients.zero_();
  }
}

void Replicas::add_gradients(int64_t count) {
  const torch::NoGradGuard no_grad;
  torch::Tensor sum = parameters_.gradients();
  for (int64_t i = 1; i < count; ++i) sum.add_(copies_[static_cast<size_t>(i) - 1].gradients);
}

}  // namespace attnlab::training
