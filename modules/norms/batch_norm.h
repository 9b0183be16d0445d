#pragma once
/// BatchNorm (Ioffe and Szegedy 2015) over batch and time, for comparison: each of the D elements is normalised with
/// its mean and variance over all rows of the batch that are no padding, then gain and bias as in LayerNorm.
///
/// In training mode a row sees the whole batch, and so its own future: causality does not hold there, and what a batch
/// holds besides a sentence changes the sentence. In evaluation mode the running statistics are used, and every row
/// stands for itself; cached decoding then equals decoding of the whole prefix.

#include <memory>

#include "modules/norms/norm.h"
#include "modules/options.h"

namespace attnlab::modules {

class BatchNorm : public Norm {
 public:
  /// Weight of a new batch in the running statistics: running = (1 - momentum) * running + momentum * batch.
  static constexpr double momentum = 0.1;

  BatchNorm(int64_t d_model, double epsilon);

  /// Rows of padding become 0 in training mode. A batch with fewer than two rows has no variance: it is normalised with
  /// the running statistics and does not change them.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& valid) override;
  void reset_parameters(const Initializer& initializer) override;

 private:
  torch::Tensor normalise(const torch::Tensor& rows);  // [n, D] -> [n, D]

  double epsilon_;
  torch::Tensor gain, bias;                 // [D]
  torch::Tensor running_mean, running_var;  // [D], buffers: saved, resumed and averaged like parameters. The variance
                                            // is the unbiased one, as torch's
};

std::shared_ptr<Norm> make_batch_norm(const NormOptions& options, int64_t d_model);

}  // namespace attnlab::modules
