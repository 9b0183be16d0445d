#pragma once
/// The sinusoids of the paper (section 3.5), interleaved: PE(pos, 2i) = sin(pos / 10000^(2i/D)), PE(pos, 2i+1) = cos of
/// the same. D must be even; an odd one is refused when the options are checked.

#include <memory>
#include <mutex>

#include "modules/options.h"
#include "modules/positions/positions.h"

namespace attnlab::modules {

/// The table [count, D] in double precision of the positions of `range`.
torch::Tensor sinusoidal_table(PositionRange range, int64_t d_model);

/// Adds the sinusoids. It has no parameters and no limit: the table grows when a longer sequence comes.
class Sinusoidal : public Positions {
 public:
  explicit Sinusoidal(int64_t d_model) : d_model_(d_model) {}
  torch::Tensor embed(const torch::Tensor& x, PositionRange range) override;

 private:
  torch::Tensor rows(PositionRange range, const torch::TensorOptions& like);

  int64_t d_model_;
  std::mutex mutex_;     // several threads may decode with one model
  torch::Tensor table_;  // [rows so far, D], of the dtype and on the device of the last x
};

std::shared_ptr<Positions> make_sinusoidal(const PositionOptions& options, const TransformerOptions& model,
                                           Stack stack);

}  // namespace attnlab::modules
