#include "experiments/run/observers.h"

#include <algorithm>

namespace attnlab::run {

void Observers::started(int64_t first_step, int64_t last_step) {
  for (training::Observer* observer : all_) observer->started(first_step, last_step);
}

void Observers::stepped(const training::StepReport& step) {
  for (training::Observer* observer : all_) observer->stepped(step);
}

void Observers::validated(const training::ValidationReport& validation) {
  for (training::Observer* observer : all_) observer->validated(validation);
}

void Observers::warned(const std::string& message) {
  for (training::Observer* observer : all_) observer->warned(message);
}

bool Observers::stop_requested() {
  return std::any_of(all_.begin(), all_.end(), [](training::Observer* observer) { return observer->stop_requested(); });
}

void ModelObserver::stepped(const training::StepReport& step) {
  inspector_.stepped(model_, step.step);
  probes_.stepped(model_, step.step);
}

}  // namespace attnlab::run
