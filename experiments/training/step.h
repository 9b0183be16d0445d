#pragma once
/// One optimizer step: forward and backward of the accumulated batches, then one update.

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/data/batches.h"
#include "experiments/spec/run_config.h"
#include "experiments/training/autocast.h"
#include "experiments/training/batch_parts.h"
#include "experiments/training/loss.h"
#include "experiments/training/optimizer.h"
#include "experiments/training/parameters.h"
#include "experiments/training/replicas.h"
#include "modules/transformer.h"

namespace attnlab::training {

/// What one step did.
struct StepResult {
  double loss = 0;            ///< smoothed, in nats per target token over the whole window
  double gradient_norm = 0;   ///< of the gradient per token, before clipping
  int64_t target_tokens = 0;  ///< of the window, without padding
  std::string failure;        ///< why nothing was updated (not finite, or exploded); empty if all is well
};

/// Takes steps with one model. On a CPU each thread takes a part of every batch, with its own copy of the model where
/// `replicas.h` allows it: results depend on the number of threads by rounding only.
class Stepper {
 public:
  /// All arguments must outlive the stepper; the parameters are those of `model`.
  Stepper(const spec::RunConfig& config, modules::Transformer& model, FlatParameters& parameters, Adam& adam,
          int32_t pad);

  /// Step number `step` (from 1; it names the dropout masks and the rate) on a window of batches. The gradient is that
  /// of the sum of the losses divided by all target tokens of the window, so a token weighs the same in whichever batch
  /// it stands. If the loss or the gradient is not finite, or the loss is above `loss_limit`, nothing is updated.
  StepResult take(int64_t step, double rate, const std::vector<data::Batch>& window);

  /// A loss that is called divergence: 100 times that of guessing, ln V.
  double loss_limit() const;

 private:
  // Forward and backward of one replica's part of each batch; adds the parts' losses, summed over tokens, to `losses`.
  void run_parts(int64_t replica, int64_t step, const std::vector<data::Batch>& window,
                 const std::vector<std::vector<BatchPart>>& parts, std::vector<torch::Tensor>& losses);
  // The optimizer's part, decided on the device: nothing is updated by a step that fails. `loss` and `norm` are per
  // token.
  void update(double rate, double tokens, const torch::Tensor& loss, const torch::Tensor& norm);
  // Why the step has failed; empty if it has not. The same conditions as those of `update`.
  std::string failure(int64_t step, const StepResult& result) const;
  torch::Tensor loss_sum(modules::Transformer& model, int64_t step, uint32_t micro_batch, const data::Batch& batch,
                         const BatchPart& part);

  const spec::RunConfig& config_;
  modules::Transformer& model_;
  FlatParameters& parameters_;
  Adam& adam_;
  torch::Device device_;
  Precision precision_;
  SmoothedTarget smoothed_;
  Replicas replicas_;
};

}  // namespace attnlab::training
