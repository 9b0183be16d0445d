#pragma once
/// Several observers of one training, and the one that shows its model around.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "experiments/inspection/training_inspector.h"
#include "experiments/probes/run_probes.h"
#include "experiments/training/trainer.h"

namespace attnlab::run {

/// Tells every one in turn, in their order. The training stops if one of them asks for it. They must outlive it.
class Observers : public training::Observer {
 public:
  explicit Observers(std::vector<training::Observer*> all) : all_(std::move(all)) {}

  void started(int64_t first_step, int64_t last_step) override;
  void stepped(const training::StepReport& step) override;
  void validated(const training::ValidationReport& validation) override;
  void warned(const std::string& message) override;
  bool stop_requested() override;

 private:
  std::vector<training::Observer*> all_;
};

/// After each step shows the model to what looks into it: the attention that is written into files, and the probes.
class ModelObserver : public training::Observer {
 public:
  ModelObserver(modules::Transformer& model, inspection::TrainingInspector inspector, probes::RunProbes& probes)
      : model_(model), inspector_(std::move(inspector)), probes_(probes) {}

  void stepped(const training::StepReport& step) override;

 private:
  modules::Transformer& model_;
  inspection::TrainingInspector inspector_;
  probes::RunProbes& probes_;
};

}  // namespace attnlab::run
