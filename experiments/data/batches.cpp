#include "experiments/data/batches.h"

#include <algorithm>
#include <compare>
#include <numeric>
#include <span>

#include "experiments/data/random.h"

namespace attnlab::data {
namespace {

/// A pair's place in the order of lengths: by target, then source; `tie` decides between equal lengths.
struct Key {
  uint64_t lengths;  // the target's above the source's
  uint64_t tie;
  int64_t row;

  int64_t target() const { return static_cast<int64_t>(lengths >> 32); }
  auto operator<=>(const Key&) const = default;
};

template <typename Tie>
std::vector<Key> in_order_of_length(const Pairs& pairs, Tie tie) {
  std::vector<Key> keys;
  keys.reserve(pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    const PairView pair = pairs[i];
    keys.push_back({uint64_t{pair.target.size()} << 32 | pair.source.size(), tie(i), static_cast<int64_t>(i)});
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Cuts ascending targets so that rows * longest target <= budget.
BatchRows cut(const std::vector<Key>& keys, int64_t budget) {
  BatchRows batches;
  for (const Key& key : keys) {
    const bool fits = !batches.empty() &&
                      static_cast<int64_t>(batches.back().size() + 1) * std::max<int64_t>(key.target(), 1) <= budget;
    if (!fits) batches.emplace_back();
    batches.back().push_back(key.row);
  }
  return batches;
}

/// The key of an epoch's stream: any two (seed, epoch) differ.
Random random_of(uint64_t seed, uint64_t epoch) {
  return Random(seed, Random::mix(epoch + 1));
}

void copy_padded(std::span<const int32_t> ids, int64_t width, int32_t pad, std::vector<int64_t>& out) {
  out.insert(out.end(), ids.begin(), ids.end());
  out.resize(out.size() + static_cast<size_t>(width) - ids.size(), pad);
}

}  // namespace

BatchRows epoch_batches(const Pairs& pairs, int64_t budget, uint64_t seed, uint64_t epoch) {
  Random random = random_of(seed, epoch);
  BatchRows batches = cut(in_order_of_length(pairs, [&](size_t) { return random.next(); }), budget);
  random.shuffle(batches);
  return batches;
}

BatchRows scoring_batches(const Pairs& pairs, int64_t budget) {
  return cut(in_order_of_length(pairs, [](size_t) { return uint64_t{0}; }), budget);
}

Batch make_batch(const Pairs& pairs, const std::vector<int64_t>& rows, int32_t pad, int32_t bos) {
  Batch batch;
  batch.rows = static_cast<int64_t>(rows.size());
  for (const int64_t row : rows) {
    const PairView pair = pairs[static_cast<size_t>(row)];
    batch.source_lengths.push_back(static_cast<int64_t>(pair.source.size()));
    batch.target_lengths.push_back(static_cast<int64_t>(pair.target.size()));
    batch.source_width = std::max(batch.source_width, batch.source_lengths.back());
    batch.target_width = std::max(batch.target_width, batch.target_lengths.back());
    batch.source_tokens += batch.source_lengths.back();
    batch.target_tokens += batch.target_lengths.back();
  }
  batch.source.reserve(static_cast<size_t>(batch.rows * batch.source_width));
  batch.target_input.reserve(static_cast<size_t>(batch.rows * batch.target_width));
  batch.target_output.reserve(static_cast<size_t>(batch.rows * batch.target_width));
  for (const int64_t row : rows) {
    const PairView pair = pairs[static_cast<size_t>(row)];
    copy_padded(pair.source, batch.source_width, pad, batch.source);
    copy_padded(pair.target, batch.target_width, pad, batch.target_output);
    if (!pair.target.empty()) batch.target_input.push_back(bos);
    const size_t before = pair.target.empty() ? 0 : 1;  // bos stands where the last piece would
    copy_padded(pair.target.first(pair.target.size() - before), batch.target_width - static_cast<int64_t>(before), pad,
                batch.target_input);
  }
  return batch;
}

Batch make_batch(const Pairs& pairs, int32_t pad, int32_t bos) {
  std::vector<int64_t> rows(pairs.size());
  std::iota(rows.begin(), rows.end(), 0);
  return make_batch(pairs, rows, pad, bos);
}

PaddingShare padding_share(const Pairs& pairs, const BatchRows& batches) {
  int64_t source = 0, target = 0, padded_source = 0, padded_target = 0;
  for (const auto& rows : batches) {
    size_t source_width = 0, target_width = 0;
    for (const int64_t row : rows) {
      const PairView pair = pairs[static_cast<size_t>(row)];
      source += static_cast<int64_t>(pair.source.size());
      target += static_cast<int64_t>(pair.target.size());
      source_width = std::max(source_width, pair.source.size());
      target_width = std::max(target_width, pair.target.size());
    }
    padded_source += static_cast<int64_t>(rows.size() * source_width);
    padded_target += static_cast<int64_t>(rows.size() * target_width);
  }
  const auto share = [](int64_t real, int64_t all) {
    return all == 0 ? 0.0 : 1.0 - static_cast<double>(real) / static_cast<double>(all);
  };
  return {share(source, padded_source), share(target, padded_target)};
}

}  // namespace attnlab::data
