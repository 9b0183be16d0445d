#pragma once
/// A learned vector for each position (Table 3, row E of the paper). The table ends somewhere, and what happens to
/// longer sequences is a policy with a name.

#include <memory>
#include <string>

#include "modules/options.h"
#include "modules/positions/positions.h"

namespace attnlab::modules {

/// What a learned table of R rows does with positions past its end.
enum class Beyond {
  error,  ///< throws attnlab::Error
  clamp,  ///< takes the last row
  /// Stretches the table linearly over the sequence: in one of n > R tokens, position p takes what stands at
  /// p * (R - 1) / (n - 1) on the straight lines between the rows, so the first and the last token get the first and
  /// the last row. Sequences of at most R tokens are as without a policy. Each sequence of a batch has its own n, which
  /// does not count padding. For encoders only: n is not known while a decoder writes.
  interpolate,
};

/// The policy of that name; an unknown name, which is refused when options are checked, stands for `error`.
Beyond beyond_policy(const std::string& name);

/// Rows of `table` [R, width] for the tokens at `range`: [T, width], or [B, T, width] where the sequences of the batch
/// differ. `valid` [B, T] as for `Positions::embed`.
torch::Tensor table_rows(const torch::Tensor& table, Beyond beyond, PositionRange range, const torch::Tensor& valid);

/// Adds row `pos` of a learned table [max_length, D], drawn from N(0, 1/D).
class Learned : public Positions {
 public:
  Learned(int64_t max_length, int64_t d_model, Beyond beyond);
  torch::Tensor embed(const torch::Tensor& x, PositionRange range, const torch::Tensor& valid) override;
  void reset_parameters(const Initializer& initializer) override;

 private:
  Beyond beyond_;
  torch::Tensor table;  // [max_length, D]
};

std::shared_ptr<Positions> make_learned(const PositionOptions& options, const TransformerOptions& model, Stack stack);
int64_t learned_size(const PositionOptions& options, const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
