#pragma once
/// The relative bias of T5 (Raffel et al. 2020, section 2.1): one learned number for each head and each bucket of
/// distances.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "modules/options.h"
#include "modules/positions/growing_table.h"
#include "modules/positions/positions.h"

namespace attnlab::modules {

/// How distances fall into buckets.
struct T5Buckets {
  bool bidirectional;          ///< the encoder: half of the buckets for the past, half for the future
  int64_t buckets = 32;        ///< of both directions together
  int64_t max_distance = 128;  ///< this far and farther is the last bucket of a direction

  int64_t of_direction() const { return bidirectional ? buckets / 2 : buckets; }
  /// Nearer than this every distance has a bucket of its own; farther ones share, on a logarithmic scale.
  int64_t exact() const { return of_direction() / 2; }
  /// The bucket of a distance (key minus query). Without `bidirectional` the whole future is in bucket 0.
  int64_t of(int64_t distance) const;
};

/// Adds table[bucket(j - i), head] to the scaled scores. One table [buckets, H], drawn from N(0, 1/D), serves all
/// layers of the stack. T5 itself does not divide scores by the root of d_k; here they are, and the bias comes after.
class T5 : public Positions {
 public:
  T5(const T5Buckets& buckets, int64_t heads, int64_t d_model);
  torch::Tensor bias(int64_t layer, const torch::Tensor& q, const torch::Tensor& k, PositionRange queries,
                     PositionRange keys) override;
  void reset_parameters(const Initializer& initializer) override;

 private:
  int64_t d_model_;
  GrowingTable bucket_;  // [distances so far] int64
  torch::Tensor table;   // [buckets, H]
};

std::shared_ptr<Positions> make_t5(const PositionOptions& options, const TransformerOptions& model, Stack stack);
int64_t t5_size(const PositionOptions& options, const TransformerOptions& model, Stack stack);
std::vector<std::string> t5_problems(const PositionOptions& options, const TransformerOptions& model, Stack stack);

}  // namespace attnlab::modules
