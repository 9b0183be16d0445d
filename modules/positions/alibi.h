#pragma once
/// ALiBi (Press et al. 2022, "Train Short, Test Long", section 3): every head loses score in proportion to the
/// distance, each at a rate of its own, and nothing is learned.

#include <cstdint>
#include <memory>
#include <vector>

#include "modules/options.h"
#include "modules/positions/growing_table.h"
#include "modules/positions/positions.h"

namespace attnlab::modules {

/// The slopes of H heads. H a power of two: 2^(-8/H), 2^(-16/H), ..., 2^-8. Otherwise those of the next lower power of
/// two, then every second one of the next higher power, as the authors' code has them.
std::vector<double> alibi_slopes(int64_t heads);

/// Adds -slope * |i - j| to the scaled scores; in the encoder the future costs as much as the past.
class Alibi : public Positions {
 public:
  explicit Alibi(int64_t heads);
  torch::Tensor bias(int64_t layer, const torch::Tensor& q, const torch::Tensor& k, PositionRange queries,
                     PositionRange keys) override;

 private:
  GrowingTable table_;  // [distances so far, H]
};

std::shared_ptr<Positions> make_alibi(const PositionOptions& options, const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
