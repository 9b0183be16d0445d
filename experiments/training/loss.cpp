#include "experiments/training/loss.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <ATen/autocast_mode.h>
#include <fmt/format.h>

#include "experiments/training/loss_rows.h"
#include "experiments/training/projection.h"
#include "modules/parallel.h"
#include "support/error.h"

namespace attnlab::training {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// Fused loss of CPU logits, on all threads. With `in_place` the logits become their gradient.
double sum_of_rows(const torch::Tensor& logits, const torch::Tensor& labels, const SmoothedTarget& smoothed,
                   Gradient gradient) {
  const int64_t rows = logits.size(0), vocab = logits.size(1);
  std::vector<double> losses(static_cast<size_t>(rows));
  const auto* label = labels.const_data_ptr<int64_t>();
  const auto visit = [&](auto* data) {
    modules::parallel_for(0, rows, /*grain_size=*/16, [&](int64_t begin, int64_t end) {
      smoothed_rows(data + begin * vocab, end - begin, vocab, label + begin, smoothed, losses.data() + begin, gradient);
    });
  };
  if (logits.scalar_type() == at::kBFloat16) {
    visit(static_cast<c10::BFloat16*>(logits.data_ptr()));
  } else {
    visit(static_cast<float*>(logits.data_ptr()));
  }
  // In the order of the rows, whatever the number of threads.
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

/// The definition, in torch's own operations: for CUDA and float64.
torch::Tensor by_definition(const torch::Tensor& logits, const torch::Tensor& labels, const SmoothedTarget& smoothed) {
  const at::ScalarType type = logits.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  const torch::Tensor log_p = torch::log_softmax(logits, -1, type);  // [N, V]
  const torch::Tensor target = log_p.gather(1, labels.unsqueeze(1)).sum();
  const torch::Tensor pad = log_p.select(1, smoothed.pad_id).sum();
  return -(smoothed.other * log_p.sum() + (smoothed.target - smoothed.other) * target +
           (smoothed.pad - smoothed.other) * pad);
}

bool has_fused_rows(const torch::Tensor& logits) {
  return logits.is_cpu() && (logits.scalar_type() == at::kFloat || logits.scalar_type() == at::kBFloat16);
}

torch::Tensor scaled(const torch::Tensor& gradient, const torch::Tensor& by) {
  // The usual case, backward() of the sum itself, costs no pass.
  return by.item<double>() == 1.0 ? gradient : gradient.mul_(by.to(gradient.scalar_type()));
}

struct FusedRows : public torch::autograd::Function<FusedRows> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& logits, const torch::Tensor& labels,
                               const SmoothedTarget& smoothed) {
    const torch::Tensor used = logits.detach();
    const double loss = sum_of_rows(used, labels, smoothed, Gradient::in_place);
    context->saved_data["gradient"] = used;
    return torch::tensor(loss, at::kFloat);
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    return {scaled(context->saved_data["gradient"].toTensor(), gradients[0]), {}, {}};
  }
};

/// Rows of one block: about five million logits (20 MiB). Smaller blocks pay more for adding up the gradient of the
/// weight than the cache gives back.
int64_t rows_of_block(int64_t vocab) {
  return std::clamp<int64_t>(5'000'000 / vocab, 128, 4096);
}

struct FusedProjection : public torch::autograd::Function<FusedProjection> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& states, const torch::Tensor& weight,
                               const torch::Tensor& labels, const SmoothedTarget& smoothed) {
    const auto projection = make_projection(states, weight);
    const int64_t rows = states.size(0),
                  block = std::min(rows, projection->rows_at_a_time(rows_of_block(weight.size(0))));
    const torch::Tensor states_gradient = torch::empty_like(states);
    const torch::Tensor logits = torch::empty({block, weight.size(0)}, states.options());
    double loss = 0;
    for (int64_t begin = 0; begin < rows; begin += block) {
      const int64_t count = std::min(block, rows - begin);
      const torch::Tensor x = states.narrow(0, begin, count);  // [R, D]
      const torch::Tensor z = logits.narrow(0, 0, count);      // [R, V]
      projection->project(z, x);
      loss += sum_of_rows(z, labels.narrow(0, begin, count), smoothed, Gradient::in_place);
      projection->project_back(states_gradient.narrow(0, begin, count), x, z);
    }
    context->saved_data["states"] = states_gradient;
    context->saved_data["weight"] = projection->weight_gradient();
    return torch::tensor(loss, at::kFloat);
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    return {scaled(context->saved_data["states"].toTensor(), gradients[0]),
            scaled(context->saved_data["weight"].toTensor(), gradients[0]),
            {},
            {}};
  }
};

}  // namespace

SmoothingRule smoothing_rule(const std::string& name) {
  if (name == "vocab") return SmoothingRule::vocab;
  if (name == "others") return SmoothingRule::others;
  if (name == "others_no_pad") return SmoothingRule::others_no_pad;
  throw Error(
      fmt::format("training.label_smoothing_rule: '{}' is unknown; expected vocab, others or others_no_pad", name));
}

SmoothedTarget smoothed_target(SmoothingRule rule, double mass, int64_t vocab, int64_t pad_id) {
  const auto v = static_cast<double>(vocab);
  switch (rule) {
    case SmoothingRule::vocab:
      return {1 - mass + mass / v, mass / v, mass / v, pad_id};
    case SmoothingRule::others:
      return {1 - mass, mass / (v - 1), mass / (v - 1), pad_id};
    case SmoothingRule::others_no_pad:
      return {1 - mass, 0, mass / (v - 2), pad_id};
  }
  throw std::logic_error("unknown smoothing rule");
}

torch::Tensor smoothed_cross_entropy(const torch::Tensor& logits, const torch::Tensor& labels,
                                     const SmoothedTarget& smoothed) {
  if (!has_fused_rows(logits)) return by_definition(logits, labels, smoothed);
  if (!logits.requires_grad() || !torch::GradMode::is_enabled()) {
    return torch::tensor(sum_of_rows(logits, labels, smoothed, Gradient::none), at::kFloat);
  }
  return FusedRows::apply(logits.contiguous(), labels, smoothed);
}

torch::Tensor projected_cross_entropy(const torch::Tensor& states, const torch::Tensor& weight,
                                      const torch::Tensor& labels, const SmoothedTarget& smoothed) {
  // bfloat16 gradients of the weight could not be summed over blocks without loss, so LibTorch's autocast takes the
  // logits whole.
  const bool blocks = states.is_cpu() && states.scalar_type() == at::kFloat && torch::GradMode::is_enabled() &&
                      !at::autocast::is_autocast_enabled(at::kCPU);
  if (!blocks) return smoothed_cross_entropy(torch::linear(states, weight), labels, smoothed);
  return FusedProjection::apply(states.contiguous(), weight, labels, smoothed);
}

}  // namespace attnlab::training
