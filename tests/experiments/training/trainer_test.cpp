#include "experiments/training/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/Parallel.h>

#include "experiments/evaluation/evaluate.h"
#include "experiments/training/batch_order.h"
#include "experiments/training/device.h"
#include "experiments/training/early_stopping.h"
#include "tests/experiments/training/tiny_run.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::training {
namespace {

using tests::Recorder;
using tests::TemporaryFolder;
using tests::TinyRun;

/// Runs with a number of threads and puts the old number back.
TinyRun run_with_threads(int threads, const spec::RunConfig& config, Recorder& recorder) {
  const int before = at::get_num_threads();
  at::set_num_threads(threads);
  TemporaryFolder folder;
  TinyRun done = tests::run(config, folder.path(), recorder);
  at::set_num_threads(before);
  return done;
}

TEST_CASE("The same seed gives the same weights; other threads nearly so", "[trainer]") {
  for (const int64_t seed : {int64_t{0}, std::numeric_limits<int64_t>::max()}) {
    spec::RunConfig config = tests::tiny_config();
    config.seed = seed;
    Recorder one, again, two;
    const TinyRun first = run_with_threads(1, config, one), second = run_with_threads(1, config, again);
    CHECK(tests::largest_difference(*first.model, *second.model) == 0);
    if (seed != 0) continue;
    run_with_threads(2, config, two);
    CHECK(two.steps.back().loss == Approx(one.steps.back().loss).margin(1e-4));
  }
  spec::RunConfig zero = tests::tiny_config(), other = zero;
  zero.seed = 0;
  other.seed = 1;
  Recorder a, b;
  CHECK(tests::largest_difference(*run_with_threads(1, zero, a).model, *run_with_threads(1, other, b).model) > 0.01);
}

TEST_CASE("Validation scores never let NaN be the best", "[early_stopping]") {
  checkpoint::Progress progress;
  const double nan = std::nan("");
  std::vector<bool> best;
  for (const double loss : {nan, 3.0, 2.5, nan, 2.6}) {
    ++progress.step;
    best.push_back(note_validation(progress, loss));
  }
  CHECK(best == std::vector<bool>{false, true, true, false, false});
  CHECK(progress.best_loss == 2.5);
  CHECK(progress.best_step == 3);
  CHECK(progress.without_gain == 2);
  CHECK(out_of_patience(progress, 2));
  CHECK_FALSE(out_of_patience(progress, 3));
  CHECK_FALSE(out_of_patience(progress, 0));
}

TEST_CASE("A rate of a million ends as diverged, with finite checkpoints", "[trainer]") {
  spec::RunConfig config = tests::tiny_config();
  config.training.schedule = {"constant", 1.0, 1e6, 0, 0.0};
  config.training.checkpoint_every = 1;
  config.model.norm.type = GENERATE("layer_norm", "batch_norm");
  INFO(config.model.norm.type);
  TemporaryFolder folder;
  Recorder recorder;
  const TinyRun done = tests::run(config, folder.path(), recorder);
  CHECK(done.result.outcome == Outcome::diverged);
  CHECK(done.result.reason.find("step") != std::string::npos);
  CHECK(done.result.steps < 20);
  REQUIRE(!recorder.steps.empty());
  for (const auto& step : recorder.steps) CHECK(std::isfinite(step.loss));
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    for (const auto& [name, tensor] : checkpoint::load_tensors(entry.path()).tensors) {
      INFO(entry.path() << " " << name);
      CHECK(torch::isfinite(tensor).all().item<bool>());
    }
  }
  CHECK(std::filesystem::exists(folder / "last.safetensors"));
}

TEST_CASE("Patience ends the training early, the best weights are left", "[trainer]") {
  spec::RunConfig config = tests::tiny_config();
  // Nothing is learnt at rate 0: the first validation is the best.
  config.training.schedule = {"constant", 1.0, 0.0, 0, 0.0};
  config.training.validate_every = 2;
  config.training.patience = 3;
  TemporaryFolder folder;
  Recorder recorder;
  const TinyRun done = tests::run(config, folder.path(), recorder);
  CHECK(done.result.outcome == Outcome::early_stopped);
  CHECK(done.result.steps == 8);
  CHECK(done.result.best_step == 2);
  CHECK(recorder.validations.size() == 4);
  CHECK(recorder.validations[0].best);
  CHECK_FALSE(recorder.validations[1].best);
  CHECK(recorder.validations[0].perplexity == Approx(std::exp(recorder.validations[0].loss)));

  Recorder again;
  const TinyRun repeated = tests::run(config, folder.path(), again);
  CHECK(repeated.result.outcome == Outcome::early_stopped);
  CHECK(again.steps.empty());
}

TEST_CASE("The average of the last validations is the mean of their weights", "[trainer]") {
  spec::RunConfig config = tests::tiny_config();
  config.training.validate_every = 5;
  config.training.average_last = 2;
  config.training.evaluate = "average";
  TemporaryFolder folder;
  Recorder recorder;
  const TinyRun done = tests::run(config, folder.path(), recorder);
  const auto at_15 = checkpoint::load_tensors(folder / "weights-15.safetensors").tensors;
  const auto at_20 = checkpoint::load_tensors(folder / "weights-20.safetensors").tensors;
  const auto averaged = checkpoint::named_parameters(*done.model);
  for (size_t i = 0; i < averaged.size(); ++i) {
    CHECK(torch::allclose(averaged[i].second, (at_15[i].second + at_20[i].second) / 2, 1e-6, 1e-7));
  }
  CHECK_FALSE(std::filesystem::exists(folder / "weights-5.safetensors"));
}

TEST_CASE("BatchNorm's running statistics are averaged like weights, and training leaves validation's data out of them",
          "[trainer]") {
  spec::RunConfig config = tests::tiny_config();
  config.model.norm.type = "batch_norm";
  config.training.validate_every = 5;
  config.training.valid_bleu_sentences = 3;
  config.training.average_last = 2;
  config.training.evaluate = "average";
  TemporaryFolder folder;
  Recorder recorder;
  const TinyRun done = tests::run(config, folder / "often", recorder);
  const std::string name = "encoder.layers.0.feed_forward_add_norm.norm.running_var";
  const auto statistic = [&](const char* file) {
    for (const auto& [key, tensor] : checkpoint::load_tensors(folder / file).tensors) {
      if (key == name) return tensor;
    }
    return torch::Tensor();
  };
  const auto at_15 = statistic("often/weights-15.safetensors"), at_20 = statistic("often/weights-20.safetensors");
  REQUIRE(at_15.defined());
  CHECK_FALSE(at_15.equal(at_20));
  CHECK(torch::allclose(done.model->named_buffers()[name], (at_15 + at_20) / 2, 1e-6, 1e-7));

  config.training.validate_every = 0;
  config.training.average_last = 0;
  config.training.evaluate = "last";
  tests::run(config, folder / "once", recorder);
  CHECK(statistic("once/last.safetensors").equal(at_20));
}

TEST_CASE("BLEU is measured at validations when it is asked for: of greedy translations of the first pairs",
          "[trainer]") {
  spec::RunConfig config = tests::tiny_config();
  config.training.steps = 60;
  config.training.schedule = {"constant", 1.0, 1e-2, 0, 0.0};
  config.training.evaluate = "last";
  config.decoding.beam = 4;
  TemporaryFolder folder;
  Recorder without, with;
  tests::run(config, folder / "without", without);
  CHECK(std::isnan(without.validations.at(0).bleu));
  config.training.valid_bleu_sentences = 5;
  TinyRun done = tests::run(config, folder / "with", with);
  const data::Dataset dataset = tests::dataset_of(config);
  spec::DecodingConfig greedy = config.decoding;
  greedy.beam = 1;
  const auto translations = evaluation::translate(done.model, dataset, dataset.valid.first(5), greedy);
  const auto& references = dataset.corpus.valid.target;
  const auto scores = evaluation::score_translations(translations, {references.begin(), references.begin() + 5}, {});
  CHECK(with.validations.back().bleu == scores.metrics.at("bleu"));
  CHECK(with.validations.back().bleu > 0);
}

TEST_CASE("Every pair is used once an epoch, in an order of its own", "[batch_order]") {
  const data::Dataset dataset = tests::dataset_of(tests::tiny_config());
  BatchOrder order(dataset.train, 128, 5, 1, 0);
  const int64_t count = order.batches_in_epoch();
  std::vector<std::vector<int64_t>> epochs;
  for (int epoch = 0; epoch < 2; ++epoch) {
    std::vector<int64_t> seen;
    for (int64_t i = 0; i < count; ++i) {
      CHECK(order.epoch() == epoch + 1);
      CHECK(order.batch() == i);
      const auto& rows = order.next();
      seen.insert(seen.end(), rows.begin(), rows.end());
    }
    epochs.push_back(seen);
  }
  CHECK(epochs[0] != epochs[1]);
  for (auto& seen : epochs) std::sort(seen.begin(), seen.end());
  CHECK(epochs[0] == epochs[1]);
  CHECK(epochs[0].size() == dataset.train.size());

  BatchOrder resumed(dataset.train, 128, 5, 1, 3), whole(dataset.train, 128, 5, 1, 0);
  for (int i = 0; i < 3; ++i) whole.next();
  CHECK(resumed.next() == whole.next());
  CHECK(tests::mentions(tests::error_message([] { BatchOrder({}, 128, 5, 1, 0); }), "no training pair left"));
}

TEST_CASE("Devices are found or refused by name", "[device]") {
  CHECK(choose_device("cpu") == torch::Device(torch::kCPU));
  if (torch::cuda::is_available()) {
    WARN("skipped: what is said without a CUDA device, because there is one");
  } else {
    CHECK(choose_device("auto") == torch::Device(torch::kCPU));
    CHECK(tests::error_message([] { choose_device("cuda"); }).find("no CUDA device") != std::string::npos);
  }
  CHECK(tests::error_message([] { choose_device("cuda:99"); }).find("'cuda:99' does not exist here") !=
        std::string::npos);
  CHECK(tests::error_message([] { choose_device("cuda:x"); }).find("does not exist here") != std::string::npos);
  CHECK(tests::error_message([] { choose_device("gpu"); }).find("expected cpu, cuda, cuda:N or auto") !=
        std::string::npos);
}

TEST_CASE("The copy task is learnt exactly", "[slow]") {
  spec::RunConfig config = tests::tiny_config();
  config.data.train_pairs = 3000;
  config.data.test_pairs = 100;
  config.model.d_model = 32;
  config.model.heads = 4;
  config.model.d_ff = 64;
  config.model.dropout = {0, 0, 0, 0};
  config.training.steps = 900;
  config.training.batch_tokens = 512;
  config.training.accumulate = 1;
  config.training.validate_every = 100;
  config.training.valid_bleu_sentences = 20;
  config.training.schedule = {"inverse_sqrt", 1.0, 5e-3, 100, 0.0};
  TemporaryFolder folder;
  Recorder recorder;
  TinyRun done = tests::run(config, folder.path(), recorder);
  const data::Dataset dataset = tests::dataset_of(config);
  const auto translations = evaluation::translate(done.model, dataset, dataset.test, config.decoding);
  CHECK(translations == dataset.corpus.test.target);
  CHECK(done.result.best_valid_loss < 0.1);
  CHECK(recorder.validations.back().bleu == Approx(100));
}

}  // namespace
}  // namespace attnlab::training
