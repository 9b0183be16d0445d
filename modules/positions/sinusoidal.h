#pragma once
/// The sinusoids of the paper (section 3.5), in each of the three arrangements that go by this name.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "modules/options.h"
#include "modules/positions/growing_table.h"
#include "modules/positions/positions.h"

namespace attnlab::modules {

/// Where sines and cosines stand in a row of width D, and how their rates fall.
enum class SinusoidLayout {
  interleaved,    ///< the paper: PE(pos, 2i) = sin(pos / base^(2i/D)), PE(pos, 2i+1) = cos of the same
  halves,         ///< all sines, then all cosines, of the same angles
  tensor2tensor,  ///< all sines, then all cosines, of pos / base^(i / (D/2 - 1)): Tensor2Tensor and fairseq
};

/// Their names in a spec.
const std::vector<std::string>& sinusoid_layouts();
/// The layout of that name. Throws attnlab::Error for an unknown one.
SinusoidLayout sinusoid_layout(const std::string& name);

/// The table [count, width] in double precision of the positions of `range`, which may be negative. `width` must be
/// even.
torch::Tensor sinusoidal_table(PositionRange range, int64_t width, SinusoidLayout layout = SinusoidLayout::interleaved,
                               double base = 10000);

/// Adds the sinusoids. It has no parameters and no limit. D must be even; an odd one is refused when the options are
/// checked.
class Sinusoidal : public Positions {
 public:
  Sinusoidal(int64_t d_model, SinusoidLayout layout, double base);
  torch::Tensor embed(const torch::Tensor& x, PositionRange range, const torch::Tensor& valid) override;

 private:
  GrowingTable table_;  // [rows so far, D]
};

std::shared_ptr<Positions> make_sinusoidal(const PositionOptions& options, const TransformerOptions& model,
                                           Stack stack);

}  // namespace attnlab::modules
