#include "experiments/training/optimizer.h"

#include <cmath>
#include <limits>

#include "experiments/checkpoint/safetensors.h"
#include "support/error.h"
#include "tests/modules/support.h"
#include "tests/support/catch.h"

namespace attnlab::training {
namespace {

using modules::testing::difference;

std::map<std::string, torch::Tensor> expected() {
  std::map<std::string, torch::Tensor> tensors;
  const auto path = std::filesystem::path(ATTNLAB_TESTS_DIR) / "experiments/training/data/adam.safetensors";
  for (const auto& [name, tensor] : checkpoint::load_tensors(path).tensors) tensors[name] = tensor;
  return tensors;
}

/// A vector before a matrix, and the matrix under two names.
struct Small : torch::nn::Module {
  Small() {
    vector = register_parameter("vector", torch::zeros({4}));
    matrix = register_parameter("matrix", torch::zeros({5, 3}));
    tied = register_parameter("tied", matrix);
    statistic = register_buffer("statistic", torch::zeros({2}));
  }
  torch::Tensor vector, matrix, tied, statistic;
};

TEST_CASE("Parameters keep their values and ties in the flat block", "[parameters]") {
  Small model;
  {
    torch::NoGradGuard no_grad;
    model.matrix.copy_(torch::arange(15).view({5, 3}));
  }
  FlatParameters parameters(model);
  CHECK(model.tied.data_ptr() == model.matrix.data_ptr());
  CHECK(torch::equal(model.matrix.detach(), torch::arange(15, at::kFloat).view({5, 3})));
  CHECK(parameters.matrix_elements() == 16);
  CHECK(parameters.values().numel() == 32);
  CHECK(parameters.values().sum().item<float>() == 105);

  const void* place = model.matrix.grad().data_ptr();
  (model.matrix.sum() + 2 * model.tied.sum() + model.vector.sum()).backward();
  CHECK(model.matrix.grad().data_ptr() == place);
  CHECK(parameters.gradients().sum().item<float>() == 15 * 3 + 4);
  parameters.zero_gradients();
  CHECK(model.matrix.grad().abs().sum().item<float>() == 0);

  CHECK(parameters.finite());
  torch::NoGradGuard no_grad;
  model.vector[2] = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(parameters.finite());
  model.vector[2] = 0;
  CHECK(parameters.finite());
  model.statistic[0] = std::numeric_limits<float>::infinity();
  CHECK_FALSE(parameters.finite());
}

TEST_CASE("Three updates agree with torch.optim, decay on matrices only, and a step that fails changes nothing",
          "[optimizer]") {
  const auto wanted = expected();
  for (const std::string type : {"adam", "adamw"}) {
    INFO(type);
    Small model;
    FlatParameters parameters(model);
    spec::OptimizerConfig config;
    config.type = type;
    config.weight_decay = 0.1;
    Adam adam(parameters, config);
    {
      torch::NoGradGuard no_grad;
      model.matrix.copy_(wanted.at("matrix"));
      model.vector.copy_(wanted.at("vector"));
    }
    const auto number = [](double x) { return torch::tensor(x, at::kDouble); };
    for (int t = 0; t < 3; ++t) {
      model.matrix.mutable_grad().fill_(NAN);
      model.vector.mutable_grad().fill_(1);
      adam.step(/*rate=*/0.01, /*divisor=*/number(NAN), /*fails=*/torch::tensor(true));
      model.matrix.mutable_grad().copy_(wanted.at("matrix.gradient." + std::to_string(t)));
      model.vector.mutable_grad().copy_(wanted.at("vector.gradient." + std::to_string(t)));
      adam.step(/*rate=*/0.01, /*divisor=*/number(8), /*fails=*/torch::tensor(false));
    }
    CHECK(difference(model.matrix, wanted.at("matrix." + type)) < 1e-6);
    CHECK(difference(model.vector, wanted.at("vector." + type)) < 1e-6);
  }
}

TEST_CASE("An unknown optimizer is refused", "[optimizer]") {
  Small model;
  FlatParameters parameters(model);
  spec::OptimizerConfig config;
  config.type = "sgd";
  CHECK_THROWS_AS(Adam(parameters, config), Error);
}

}  // namespace
}  // namespace attnlab::training
