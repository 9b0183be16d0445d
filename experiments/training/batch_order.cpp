#include "experiments/training/batch_order.h"

#include <utility>

#include "support/error.h"

namespace attnlab::training {

BatchOrder::BatchOrder(const data::Pairs& pairs, int64_t budget, uint64_t seed, int64_t epoch, int64_t batch)
    : pairs_(pairs), budget_(budget), seed_(seed), epoch_(epoch), batch_(batch) {
  if (pairs.empty())
    throw Error(
        "there is no training pair left to train on: check data.train, data.max_pieces and the counts of dropped "
        "pairs");
  begin_epoch();
}

void BatchOrder::begin_epoch() {
  rows_ = data::epoch_batches(pairs_, budget_, seed_, static_cast<uint64_t>(epoch_));
}

const std::vector<int64_t>& BatchOrder::next() {
  current_ = std::move(rows_[static_cast<size_t>(batch_)]);
  if (++batch_ == static_cast<int64_t>(rows_.size())) {
    batch_ = 0;
    ++epoch_;
    begin_epoch();
  }
  return current_;
}

}  // namespace attnlab::training
