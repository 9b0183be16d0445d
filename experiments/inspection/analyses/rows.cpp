#include "experiments/inspection/analyses/rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::inspection {

torch::Tensor row_entropy(const torch::Tensor& weights) {
  const torch::Tensor a = weights.to(torch::kDouble);
  return -torch::xlogy(a, a).sum(-1);
}

torch::Tensor row_relative_entropy(const torch::Tensor& weights, const torch::Tensor& visible) {
  const torch::Tensor most = visible.to(torch::kDouble).log();
  return torch::where(visible > 1, row_entropy(weights) / most,
                      torch::full_like(most, std::numeric_limits<double>::quiet_NaN()));
}

torch::Tensor row_distance(const torch::Tensor& weights) {
  const auto queries = torch::arange(weights.size(-2), torch::kDouble).unsqueeze(1);
  const auto keys = torch::arange(weights.size(-1), torch::kDouble);
  return (weights.to(torch::kDouble) * (queries - keys).abs()).sum(-1);
}

torch::Tensor row_maximum(const torch::Tensor& weights, const torch::Tensor& excluded) {
  return weights.to(torch::kDouble).masked_fill(excluded, 0).amax(-1);
}

torch::Tensor row_share(const torch::Tensor& weights, const torch::Tensor& mask) {
  return weights.to(torch::kDouble).masked_fill(mask.logical_not(), 0).sum(-1);
}

torch::Tensor row_peak(const torch::Tensor& weights) {
  const torch::Tensor largest = weights.amax(-1, /*keepdim=*/true);
  return (weights == largest).to(torch::kInt64).argmax(-1);
}

torch::Tensor visible_keys(int64_t queries, int64_t keys, Sight sight) {
  if (sight == Sight::past) return torch::arange(1, queries + 1, torch::kInt64);
  return torch::full({queries}, keys, torch::kInt64);
}

namespace {

/// Sums over rows of the distances between heads: [G, G].
torch::Tensor summed_distances(const torch::Tensor& weights) {
  const torch::Tensor a = weights.to(torch::kDouble);
  const torch::Tensor own = row_entropy(a);  // [G, Tq]
  std::vector<torch::Tensor> rows;
  for (int64_t head = 0; head < a.size(0); ++head) {
    const torch::Tensor mixture = row_entropy((a + a[head]) / 2);
    const torch::Tensor divergence = (mixture - (own + own[head]) / 2) / std::log(2.0);
    rows.push_back(divergence.clamp(0, 1).sqrt().sum(-1));
  }
  return torch::stack(rows);
}

}  // namespace

torch::Tensor jensen_shannon(const torch::Tensor& weights, int64_t most) {
  const int64_t queries = weights.size(1);
  const int64_t block = std::max<int64_t>(1, most / std::max<int64_t>(1, weights.size(0) * weights.size(2)));
  torch::Tensor sum;
  for (int64_t first = 0; first < queries; first += block) {
    const torch::Tensor part = summed_distances(weights.narrow(1, first, std::min(block, queries - first)));
    sum = sum.defined() ? sum + part : part;
  }
  return sum / queries;
}

}  // namespace attnlab::inspection
