#include "experiments/training/parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attnlab::training {
namespace {

constexpr int64_t kCacheLine = 16;  // floats

int64_t rounded_up(int64_t size) {
  return (size + kCacheLine - 1) / kCacheLine * kCacheLine;
}

}  // namespace

FlatParameters::FlatParameters(torch::nn::Module& model) {
  torch::NoGradGuard no_grad;
  statistics_ = checkpoint::named_buffers(model);
  const checkpoint::NamedTensors parameters = checkpoint::named_parameters(model);
  if (parameters.empty()) throw std::invalid_argument("the model has no parameters");
  for (const auto& [name, parameter] : parameters) {
    if (parameter.scalar_type() != at::kFloat) throw std::invalid_argument("parameter " + name + " is not float32");
    parts_.push_back({name, parameter.sizes().vec(), 0, parameter.numel()});
  }
  int64_t end = 0;
  const auto place = [&](bool matrices) {
    for (Part& part : parts_) {
      if ((part.shape.size() >= 2) != matrices) continue;
      part.begin = end;
      end += rounded_up(part.size);
    }
  };
  place(/*matrices=*/true);
  matrix_elements_ = end;
  place(/*matrices=*/false);

  const auto options = parameters.front().second.options().requires_grad(false);
  values_ = torch::zeros({end}, options);
  gradients_ = torch::zeros({end}, options);
  for (size_t i = 0; i < parts_.size(); ++i) {
    torch::Tensor parameter = parameters[i].second;
    const torch::Tensor place_of_values = view(values_, parts_[i]);
    place_of_values.copy_(parameter);
    parameter.set_data(place_of_values);
    parameter.mutable_grad() = view(gradients_, parts_[i]);
  }
}

torch::Tensor FlatParameters::share_with(torch::nn::Module& copy) const {
  const torch::NoGradGuard no_grad;
  const torch::Tensor gradients = torch::zeros_like(gradients_);
  const checkpoint::NamedTensors parameters = checkpoint::named_parameters(copy);
  if (parameters.size() != parts_.size()) throw std::invalid_argument("the modules have different parameters");
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (parameters[i].first != parts_[i].name) throw std::invalid_argument("the modules have different parameters");
    torch::Tensor parameter = parameters[i].second;
    parameter.set_data(view(values_, parts_[i]));
    parameter.mutable_grad() = view(gradients, parts_[i]);
  }
  return gradients;
}

checkpoint::NamedTensors FlatParameters::parts(const torch::Tensor& flat) const {
  checkpoint::NamedTensors named;
  for (const Part& part : parts_) named.emplace_back(part.name, view(flat, part));
  return named;
}

bool FlatParameters::finite() const {
  const auto is_finite = [](const torch::Tensor& x) {
    // The largest magnitude is NaN if any element is.
    return std::isfinite(at::linalg_vector_norm(x, std::numeric_limits<double>::infinity()).item<double>());
  };
  return is_finite(values_) && std::all_of(statistics_.begin(), statistics_.end(),
                                           [&](const auto& statistic) { return is_finite(statistic.second); });
}

}  // namespace attnlab::training
