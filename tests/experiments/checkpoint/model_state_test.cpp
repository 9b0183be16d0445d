#include "experiments/checkpoint/model_state.h"

#include "experiments/checkpoint/average.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::checkpoint {
namespace {

using tests::error_message;
using tests::TemporaryFolder;

/// Two names for one tensor, as with tied embeddings.
struct Tied : torch::nn::Module {
  Tied() {
    embedding = register_parameter("embedding", torch::randn({3, 2}));
    output = register_parameter("output", embedding);
    bias = register_parameter("bias", torch::randn({3}));
  }
  torch::Tensor embedding, output, bias;
};

/// A parameter and a statistic that is none.
struct WithStatistic : torch::nn::Module {
  WithStatistic() {
    gain = register_parameter("gain", torch::randn({2}));
    running_mean = register_buffer("running_mean", torch::randn({2}));
  }
  torch::Tensor gain, running_mean;
};

TEST_CASE("Buffers are saved and loaded with the parameters", "[model_state]") {
  TemporaryFolder folder;
  WithStatistic one, other;
  save_model(folder / "m.safetensors", one);
  REQUIRE(load_tensors(folder / "m.safetensors").tensors.size() == 2);
  load_model(folder / "m.safetensors", other);
  CHECK(torch::equal(other.gain, one.gain));
  CHECK(torch::equal(other.running_mean, one.running_mean));
  CHECK_FALSE(other.running_mean.requires_grad());
  CHECK(error_message([&] {
          load_weights(other, {{"gain", torch::ones({2})}}, "'x'");
        }).find("'running_mean' is missing") != std::string::npos);
}

TEST_CASE("Tied parameters are saved once and stay tied when loaded", "[model_state]") {
  TemporaryFolder folder;
  Tied one, other;
  save_model(folder / "m.safetensors", one, {{"step", "3"}});
  const TensorFile file = load_tensors(folder / "m.safetensors");
  REQUIRE(file.tensors.size() == 2);
  CHECK(file.tensors[0].first == "embedding");
  CHECK(load_model(folder / "m.safetensors", other).at("step") == "3");
  CHECK(torch::equal(other.embedding, one.embedding));
  CHECK(torch::equal(other.bias, one.bias));
  CHECK(other.output.data_ptr() == other.embedding.data_ptr());
  CHECK(other.bias.requires_grad());
}

TEST_CASE("Weights of another model are refused with all reasons, and nothing is changed", "[model_state]") {
  Tied model;
  const torch::Tensor before = model.embedding.detach().clone();
  const std::string message = error_message([&] {
    load_weights(model, {{"embedding", torch::ones({3, 2})}, {"b", torch::ones({3})}}, "'x'");
  });
  CHECK(message.find("'x'") == 0);
  CHECK(message.find("'bias' is missing") != std::string::npos);
  CHECK(message.find("'b' is unknown") != std::string::npos);
  CHECK(torch::equal(model.embedding, before));
  const std::string shape = error_message([&] {
    load_weights(model, {{"embedding", torch::ones({2, 2})}, {"bias", torch::ones({3})}}, "'x'");
  });
  CHECK(shape.find("'embedding' has shape [2, 2], the model needs [3, 2]") != std::string::npos);
}

TEST_CASE("The average of files is the mean of each tensor", "[average]") {
  TemporaryFolder folder;
  save_tensors(folder / "1", {{"w", torch::tensor({1.0F, 2.0F})}, {"b", torch::tensor({0.0F})}});
  save_tensors(folder / "2", {{"w", torch::tensor({4.0F, 2.0F})}, {"b", torch::tensor({1.0F})}});
  save_tensors(folder / "3", {{"w", torch::tensor({1.0F, 5.0F})}, {"b", torch::tensor({-1.0F})}});
  const NamedTensors mean = average_files({folder / "1", folder / "2", folder / "3"});
  CHECK(torch::equal(mean[0].second, torch::tensor({2.0F, 3.0F})));
  CHECK(torch::equal(mean[1].second, torch::tensor({0.0F})));

  save_tensors(folder / "other", {{"w", torch::tensor({1.0F})}, {"b", torch::tensor({0.0F})}});
  CHECK(error_message([&] { average_files({folder / "1", folder / "other"}); }).find("other") != std::string::npos);
  CHECK(error_message([&] { average_files({}); }).find("at least one is needed") != std::string::npos);
}

}  // namespace
}  // namespace attnlab::checkpoint
