#pragma once
/// Sinusoids in the first elements of a row, learned numbers in the rest.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "modules/options.h"
#include "modules/positions/growing_table.h"
#include "modules/positions/learned.h"
#include "modules/positions/positions.h"
#include "modules/positions/sinusoidal.h"

namespace attnlab::modules {

/// How many of the D elements are sinusoids: `sinusoidal_width`, or the largest even number up to D / 2 where that is
/// 0.
int64_t hybrid_width(const PositionOptions& options, int64_t d_model);

/// Adds [PE(pos), table(pos)]: in the first `width` elements the sinusoids of a model of that width (their exponents
/// run over `width`, not over D), in the others row `pos` of a learned table [max_length, D - width], drawn from
/// N(0, 1/D) and bounded as `Learned` is.
class Hybrid : public Positions {
 public:
  Hybrid(const PositionOptions& options, int64_t d_model);
  torch::Tensor embed(const torch::Tensor& x, PositionRange range, const torch::Tensor& valid) override;
  void reset_parameters(const Initializer& initializer) override;

 private:
  int64_t d_model_;
  Beyond beyond_;
  GrowingTable sinusoids_;  // [rows so far, width]
  torch::Tensor table;      // [max_length, D - width]
};

std::shared_ptr<Positions> make_hybrid(const PositionOptions& options, const TransformerOptions& model, Stack stack);
int64_t hybrid_size(const PositionOptions& options, const TransformerOptions& model, Stack stack);
std::vector<std::string> hybrid_problems(const PositionOptions& options, const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
