#pragma once
/// Attention of a few fixed sentences while a model trains, so that heads can be watched as they form.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "experiments/data/dataset.h"
#include "experiments/inspection/maps.h"
#include "experiments/spec/run_config.h"
#include "modules/transformer.h"

namespace attnlab::inspection {

/// Writes `step-<8 digits>.safetensors` (the layout of `attnlab attend`) into a folder. It draws no random numbers and
/// leaves the model's mode as it was, so training goes on as if it were not there.
class TrainingInspector {
 public:
  TrainingInspector(const spec::InspectionConfig& config, std::filesystem::path folder, const data::Dataset& dataset);

  /// To be called after each step; does nothing unless the step is a multiple of `every`. The folder is made at the
  /// first file.
  void stepped(modules::Transformer& model, int64_t step);

 private:
  spec::InspectionConfig config_;
  std::filesystem::path folder_;
  std::vector<Sentence> sentences_;
};

}  // namespace attnlab::inspection
