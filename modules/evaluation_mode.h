#pragma once
/// Evaluation mode as a scope.

#include "modules/torch.h"

namespace attnlab::modules {

/// While it lives the module is in evaluation mode: norms over the batch use their running statistics and leave them
/// alone. At its end a module that was in training mode is so again. A module that is in evaluation mode is not
/// touched, so several threads may use it.
class EvaluationMode {
 public:
  explicit EvaluationMode(torch::nn::Module& module) : module_(module), was_training_(module.is_training()) {
    if (was_training_) {
      module_.eval();
    }
  }
  ~EvaluationMode() {
    if (was_training_) {
      module_.train();
    }
  }
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;

 private:
  torch::nn::Module& module_;
  bool was_training_;
};

}  // namespace attnlab::modules
