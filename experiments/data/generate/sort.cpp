#include "experiments/data/generate/sort.h"

#include <algorithm>
#include <numeric>

#include "experiments/data/generate/sequences.h"

namespace attnlab::data {

Sentence draw_sort(const spec::DataConfig& config, SplitName, Random& random) {
  const std::vector<int64_t> numbers = draw_sequence(config, random);
  std::vector<int> order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return numbers[static_cast<size_t>(a)] < numbers[static_cast<size_t>(b)]; });
  return apply_order(numbers, order);
}

}  // namespace attnlab::data
