#pragma once
/// How large the gradient is in each layer and sub-layer: at initialisation, and after the warm-up (Xiong et al. 2020,
/// "On Layer Normalization in the Transformer Architecture", section 3.3 and figure 3).

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/data/batches.h"
#include "experiments/probes/probe.h"

namespace attnlab::probes {

/// L2 norms of the gradient of the mean loss per target token, in one layer.
struct LayerGradients {
  std::string stack;                    ///< `encoder` or `decoder`
  int64_t layer = 0;                    ///< from 0, beside the embeddings
  std::map<std::string, double> norms;  ///< `self_attention`, `cross_attention`, `feed_forward` and `norms` (of all
                                        ///< their parameters together) and `w_2`, the feed-forward network's second
                                        ///< matrix alone: the paper's figure
};

/// The gradient at one moment.
struct GradientReport {
  int64_t step = 0;
  double loss = 0;                     ///< smoothed, in nats per target token
  double norm = 0;                     ///< of everything
  std::vector<LayerGradients> layers;  ///< encoder, then decoder
};

/// The gradient of the training loss on one batch, without dropout. It works on a copy: `model`, its gradients and its
/// running statistics stay as they are.
GradientReport measure_gradients(modules::Transformer& model, const spec::RunConfig& config, const data::Batch& batch,
                                 int32_t pad);

/// The batch that all measurements of a run are made on: the first training pairs, as many as `training.batch_tokens`
/// holds, so it is the same for every seed and method.
data::Batch gradient_batch(const spec::RunConfig& config, const data::Dataset& dataset);

/// Measures at step 0 and, if there is a warm-up, at its end (or at the last step, if that is earlier). Metrics, for
/// `start` and `warm`: `gradients.<when>.norm`, and `gradients.<when>.w_2_last`, `.w_2_first`, of the decoder's last
/// and first layer. What was measured lies in gradients.json at once, so a resumed run knows it.
std::unique_ptr<Probe> make_gradients(const ProbeInput& input);

}  // namespace attnlab::probes
