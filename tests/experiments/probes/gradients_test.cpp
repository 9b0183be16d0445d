#include "experiments/probes/gradients.h"

#include "experiments/probes/registry.h"
#include "experiments/probes/run_probes.h"
#include "experiments/training/parameters.h"
#include "experiments/training/step.h"
#include "tests/experiments/training/tiny_run.h"
#include "tests/support/catch.h"

namespace attnlab::probes {
namespace {

using tests::TemporaryFolder;

const LayerGradients& layer_of(const GradientReport& report, const std::string& stack, int64_t layer) {
  for (const LayerGradients& one : report.layers) {
    if (one.stack == stack && one.layer == layer) return one;
  }
  throw std::out_of_range(stack);
}

spec::RunConfig deep_config(int64_t layers, const std::string& placement) {
  spec::RunConfig config = tests::tiny_config();
  config.model.encoder_layers = config.model.decoder_layers = layers;
  config.model.norm.placement = placement;
  return config;
}

/// Drives probes as a run does.
struct Probed : training::Observer {
  RunProbes& probes;
  modules::Transformer& model;
  Probed(RunProbes& p, modules::Transformer& m) : probes(p), model(m) {}
  void stepped(const training::StepReport& step) override { probes.stepped(model, step.step); }
};

TEST_CASE("the norms are those of the gradient that a training step takes") {
  spec::RunConfig config = deep_config(2, "post");
  config.model.dropout = {0, 0, 0, 0};  // a step drops, the probe does not
  const data::Dataset dataset = tests::dataset_of(config);
  auto model = tests::model_of(config, dataset);
  const data::Batch batch = gradient_batch(config, dataset);
  const GradientReport report = measure_gradients(model, config, batch, dataset.target_tokenizer.pad());

  auto stepped = tests::model_of(config, dataset);
  training::FlatParameters parameters(*stepped);
  training::Adam adam(parameters, config.training.optimizer);
  training::Stepper stepper(config, stepped, parameters, adam, dataset.target_tokenizer.pad());
  const auto step = stepper.take(1, 0.0, {batch});
  CHECK(report.loss == Approx(step.loss).epsilon(1e-5));
  CHECK(report.norm == Approx(step.gradient_norm).epsilon(1e-4));

  REQUIRE(report.layers.size() == 4);
  double w_2 = 0;
  for (const auto& [name, part] : parameters.parts(parameters.gradients())) {
    if (name == "decoder.layers.1.feed_forward.w_2")
      w_2 = part.norm().item<double>();  // the step has divided by the tokens
  }
  CHECK(layer_of(report, "decoder", 1).norms.at("w_2") == Approx(w_2).epsilon(1e-4));
  CHECK(layer_of(report, "decoder", 0).norms.count("cross_attention") == 1);
  CHECK(layer_of(report, "encoder", 0).norms.count("cross_attention") == 0);
}

TEST_CASE("the copy leaves the model alone") {
  spec::RunConfig config = deep_config(1, "post");
  config.model.norm.type = "batch_norm";
  const data::Dataset dataset = tests::dataset_of(config);
  auto model = tests::model_of(config, dataset);
  const auto untouched = tests::model_of(config, dataset);
  model->train();
  measure_gradients(model, config, gradient_batch(config, dataset), dataset.target_tokenizer.pad());
  CHECK(tests::largest_difference(*model, *untouched) == 0);
  CHECK(model->is_training());
  for (const auto& parameter : model->parameters()) CHECK_FALSE(parameter.grad().defined());
}

TEST_CASE("at initialisation the last layer's gradient of post-LN is larger than that of pre-LN (Xiong et al. 2020)") {
  const auto last_w_2 = [](const std::string& placement, int64_t layers) {
    const spec::RunConfig config = deep_config(layers, placement);
    const data::Dataset dataset = tests::dataset_of(config);
    auto model = tests::model_of(config, dataset);
    const auto report =
        measure_gradients(model, config, gradient_batch(config, dataset), dataset.target_tokenizer.pad());
    return layer_of(report, "decoder", layers - 1).norms.at("w_2");
  };
  CHECK(last_w_2("post", 6) > 1.5 * last_w_2("pre", 6));
  CHECK(last_w_2("pre", 8) < last_w_2("pre", 2));  // theirs falls with the depth as 1 / sqrt(L)
}

TEST_CASE("training with the probes is bit-identical to training without") {
  spec::RunConfig config = tests::tiny_config();
  config.model.norm.type = "batch_norm";
  config.training.schedule.warmup = 5;
  const data::Dataset dataset = tests::dataset_of(config);
  const TemporaryFolder plain_folder, probed_folder;
  tests::Recorder recorder;
  const tests::TinyRun plain = tests::run(config, plain_folder.path(), recorder);

  for (const ProbeVariant& variant : probe_variants()) config.evaluation.probes.push_back(variant.name);
  auto model = tests::model_of(config, dataset);
  RunProbes probes(config, dataset, probed_folder.path() / "probes");
  probes.begin(model);
  Probed observer(probes, model);
  training::train(config, dataset, model, probed_folder.path(), observer);
  CHECK(tests::largest_difference(*plain.model, *model) == 0);

  const auto metrics = probes.finish(model, /*trained=*/true);
  CHECK(tests::largest_difference(*plain.model, *model) == 0);
  CHECK(metrics.at("gradients.start.norm") > 0);
  CHECK(metrics.at("gradients.warm.w_2_last") > 0);
  for (const std::string& name : config.evaluation.probes)
    CHECK(std::filesystem::exists(probed_folder.path() / "probes" / (name + ".json")));
}

TEST_CASE("a resumed run keeps what was measured") {
  spec::RunConfig config = tests::tiny_config();
  config.evaluation.probes = {"gradients"};
  const data::Dataset dataset = tests::dataset_of(config);
  const TemporaryFolder folder;
  auto model = tests::model_of(config, dataset);
  {
    RunProbes probes(config, dataset, folder.path());
    probes.begin(model);
    probes.stepped(model, config.training.schedule.warmup);
  }
  auto other = tests::model_of(config, dataset);
  RunProbes probes(config, dataset, folder.path());
  probes.begin(other);
  const auto metrics = probes.finish(other, /*trained=*/false);
  CHECK(metrics.at("gradients.start.norm") == metrics.at("gradients.warm.norm"));
}

}  // namespace
}  // namespace attnlab::probes
