#pragma once
/// A learned vector for each position (Table 3, row E of the paper). The table ends somewhere, and what happens to
/// longer sequences is a policy with a name.

#include <memory>

#include "modules/options.h"
#include "modules/positions/positions.h"

namespace attnlab::modules {

/// Adds row `pos` of a learned table [max_length, D], drawn from N(0, 1/D).
class Learned : public Positions {
 public:
  /// What a position past the table's end does.
  enum class Beyond {
    error,  ///< throws attnlab::Error
    clamp,  ///< takes the table's last row
  };
  Learned(int64_t max_length, int64_t d_model, Beyond beyond);
  torch::Tensor embed(const torch::Tensor& x, PositionRange range) override;
  void reset_parameters(const Initializer& initializer) override;

 private:
  Beyond beyond_;
  torch::Tensor table;  // [max_length, D]
};

std::shared_ptr<Positions> make_learned(const PositionOptions& options, const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
