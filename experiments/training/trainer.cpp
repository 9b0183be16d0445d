#include "experiments/training/trainer.h"

#include <algorithm>

#include "experiments/training/batch_order.h"
#include "experiments/training/checkpoints.h"
#include "experiments/training/device.h"
#include "experiments/training/early_stopping.h"
#include "experiments/training/schedule.h"
#include "experiments/training/step.h"
#include "experiments/training/validation.h"
#include "support/clock.h"
#include "support/error.h"

namespace attnlab::training {
namespace {

using checkpoint::Progress;

/// One call of `train`.
class Training {
 public:
  Training(const spec::RunConfig& config, const data::Dataset& dataset, modules::Transformer& model,
           const std::filesystem::path& folder, Observer& observer)
      : config_(config),
        dataset_(dataset),
        model_(model),
        observer_(observer),
        parameters_(*model),
        adam_(parameters_, config.training.optimizer),
        stepper_(config, model, parameters_, adam_, dataset.target_tokenizer.pad()),
        checkpoints_(folder, model, adam_, checkpoint::identity_of(config, dataset.tokenizer_hash)),
        progress_(begin()),
        order_(dataset.train, config.training.batch_tokens, progress_.seed, progress_.epoch, progress_.batch) {}

  TrainingResult run() {
    const spec::TrainingConfig& t = config_.training;
    observer_.started(progress_.step + 1, t.steps);
    Outcome outcome = Outcome::completed;
    std::string reason;
    while (progress_.step < t.steps && !out_of_patience(progress_, t.patience)) {
      const StepResult step = take_step();
      if (!step.failure.empty()) {
        outcome = Outcome::diverged;
        reason = step.failure;
        break;
      }
      const bool last = progress_.step == t.steps;
      const bool stop = observer_.stop_requested() && !last;
      const bool validated = last || is_due(t.validate_every);
      if (validated) validate_now();
      if (validated || stop || is_due(t.checkpoint_every)) checkpoints_.save_state(progress_);
      if (stop) {
        outcome = Outcome::interrupted;
        reason = "stopped on request";
        break;
      }
    }
    if (outcome == Outcome::completed && progress_.step < t.steps) {
      outcome = Outcome::early_stopped;
      reason = "no lower validation loss in " + std::to_string(t.patience) + " validations";
    }
    restore(outcome);
    return {outcome,
            progress_.step,
            progress_.best_loss,
            progress_.best_step,
            progress_.train_seconds,
            progress_.target_tokens,
            reason};
  }

 private:
  Progress begin() {
    const auto seed = static_cast<uint64_t>(config_.seed);
    Progress fresh;
    fresh.seed = seed;
    return checkpoints_.resume(seed, [this](const std::string& message) { observer_.warned(message); }).value_or(fresh);
  }

  bool is_due(int64_t every) const { return every > 0 && progress_.step % every == 0; }

  StepResult take_step() {
    const auto start = Clock::now();
    const int64_t number = progress_.step + 1, epoch = order_.epoch();
    const double rate = learning_rate(number, config_.model.d_model, config_.training.schedule, config_.training.steps);
    StepResult result = stepper_.take(number, rate, next_window());
    if (!result.failure.empty()) return result;

    progress_.step = number;
    progress_.epoch = order_.epoch();
    progress_.batch = order_.batch();
    progress_.target_tokens += result.target_tokens;
    const double seconds = seconds_since(start);
    progress_.train_seconds += seconds;
    observer_.stepped({number, epoch, result.loss, rate, result.gradient_norm, result.target_tokens, seconds});
    return result;
  }

  std::vector<data::Batch> next_window() {
    std::vector<data::Batch> window;
    const int32_t pad = dataset_.target_tokenizer.pad(), bos = dataset_.target_tokenizer.bos();
    for (int64_t i = 0; i < std::max<int64_t>(config_.training.accumulate, 1); ++i) {
      window.push_back(data::make_batch(dataset_.train, order_.next(), pad, bos));
    }
    return window;
  }

  void validate_now() {
    model_->eval();
    ValidationReport report = validate(config_, dataset_, model_, progress_.step);
    model_->train();
    report.best = note_validation(progress_, report.loss);
    if (report.best) checkpoints_.save_best(progress_);
    if (config_.training.average_last > 1) checkpoints_.save_for_average(progress_, config_.training.average_last);
    observer_.validated(report);
  }

  /// Leaves the model with the weights that are to be tested.
  void restore(Outcome outcome) {
    const std::string& wanted = config_.training.evaluate;
    if (outcome == Outcome::diverged) {
      if (parameters_.finite()) checkpoints_.save_last(progress_);
      checkpoints_.restore_best(progress_);
    } else if (outcome == Outcome::interrupted) {
      return;
    } else if (wanted == "best") {
      checkpoints_.restore_best(progress_);
    } else if (wanted == "average") {
      checkpoints_.restore_average(progress_);
    }
    model_->eval();
  }

  const spec::RunConfig& config_;
  const data::Dataset& dataset_;
  modules::Transformer& model_;
  Observer& observer_;
  FlatParameters parameters_;
  Adam adam_;
  Stepper stepper_;
  Checkpoints checkpoints_;
  Progress progress_;
  BatchOrder order_;
};

}  // namespace

TrainingResult train(const spec::RunConfig& config, const data::Dataset& dataset, modules::Transformer& model,
                     const std::filesystem::path& checkpoints, Observer& observer) {
  model->to(choose_device(config.training.device));
  model->train();
  return Training(config, dataset, model, checkpoints, observer).run();
}

}  // namespace attnlab::training
