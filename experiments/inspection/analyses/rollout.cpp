#include "experiments/inspection/analyses/rollout.h"

#include <vector>

namespace attnlab::inspection {

torch::Tensor head_means(const torch::Tensor& weights) {
  return weights.to(torch::kDouble).mean(1);
}

torch::Tensor attention_rollout(const torch::Tensor& means) {
  const torch::Tensor identity = torch::eye(means.size(-1), torch::kDouble);
  std::vector<torch::Tensor> layers;
  torch::Tensor flow = identity;
  for (int64_t layer = 0; layer < means.size(0); ++layer) {
    torch::Tensor step = (means[layer] + identity) / 2;
    step = step / step.sum(-1, /*keepdim=*/true);  // a row that may see nothing keeps its own identity
    flow = step.matmul(flow);
    layers.push_back(flow);
  }
  return torch::stack(layers);
}

}  // namespace attnlab::inspection
