#include "experiments/data/generate/reverse.h"

#include <algorithm>
#include <numeric>

#include "experiments/data/generate/sequences.h"

namespace attnlab::data {

Sentence draw_reverse(const spec::DataConfig& config, SplitName, Random& random) {
  const std::vector<int64_t> numbers = draw_sequence(config, random);
  std::vector<int> order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());
  return apply_order(numbers, order);
}

}  // namespace attnlab::data
