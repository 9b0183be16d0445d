#pragma once
/// The endless sequence of training batches: epoch after epoch, each in its own order. Where it stands is two numbers,
/// so a resumed training goes on with exactly the next batch.

#include <cstdint>
#include <vector>

#include "experiments/data/batches.h"

namespace attnlab::training {

class BatchOrder {
 public:
  /// Starts at batch `batch` of epoch `epoch` (from 1). What `pairs` looks at must outlive the order. Throws
  /// attnlab::Error if it is empty.
  BatchOrder(const data::Pairs& pairs, int64_t budget, uint64_t seed, int64_t epoch, int64_t batch);

  /// The pairs of the next batch. After the last one of an epoch comes the first one of the next: a window of
  /// accumulated batches may reach over the end of an epoch, so no batch is lost or weighs more.
  const std::vector<int64_t>& next();

  int64_t epoch() const { return epoch_; }  ///< of the batch that `next` will give, from 1
  int64_t batch() const { return batch_; }  ///< its place in that epoch, from 0
  int64_t batches_in_epoch() const { return static_cast<int64_t>(rows_.size()); }

 private:
  void begin_epoch();

  data::Pairs pairs_;
  int64_t budget_;
  uint64_t seed_;
  int64_t epoch_, batch_;
  data::BatchRows rows_;
  std::vector<int64_t> current_;
};

}  // namespace attnlab::training
