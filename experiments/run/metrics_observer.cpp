#include "experiments/run/metrics_observer.h"

#include <cmath>

#include "support/json.h"
#include "support/number_text.h"

namespace attnlab::run {

void MetricsObserver::started(int64_t first_step, int64_t last_step) {
  log_.emplace(folder_, first_step);
  last_step_ = last_step;
}

void MetricsObserver::stepped(const training::StepReport& step) {
  Json entry;
  entry["step"] = step.step;
  entry["steps"] = last_step_;
  entry["epoch"] = step.epoch;
  entry["loss"] = finite_or_null(step.loss);
  entry["learning_rate"] = finite_or_null(step.learning_rate);
  if (step.gradient_norm > 0) entry["gradient_norm"] = finite_or_null(step.gradient_norm);
  entry["target_tokens"] = step.target_tokens;
  entry["tokens_per_second"] = finite_or_null(static_cast<double>(step.target_tokens) / step.seconds);
  log_->write(entry);
}

void MetricsObserver::validated(const training::ValidationReport& validation) {
  Json entry;
  entry["step"] = validation.step;
  entry["steps"] = last_step_;
  entry["valid_loss"] = finite_or_null(validation.loss);
  entry["valid_perplexity"] = json_number(validation.perplexity);
  if (!std::isnan(validation.bleu)) entry["valid_bleu"] = finite_or_null(validation.bleu);
  entry["best"] = validation.best;
  log_->write(entry);
}

}  // namespace attnlab::run
