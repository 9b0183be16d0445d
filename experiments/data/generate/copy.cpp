#include "experiments/data/generate/copy.h"

#include <algorithm>
#include <numeric>

#include "experiments/data/generate/sequences.h"

namespace attnlab::data {

Sentence draw_copy(const spec::DataConfig& config, SplitName, Random& random) {
  const std::vector<int64_t> numbers = draw_sequence(config, random);
  std::vector<int> order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  return apply_order(numbers, order);
}

}  // namespace attnlab::data
