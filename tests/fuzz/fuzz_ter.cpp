// The search of TER on any pair of lines: shifts never make it worse than plain editing, and equal lines cost nothing.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "sacrebleu/ter_search.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  // The first byte says where the hypothesis ends, the second how many different words there are.
  const std::uint32_t words = 1 + data[1] % 32;
  const std::size_t cut = 2 + (size - 2) * data[0] / 255;
  std::vector<std::uint32_t> hypothesis, reference;
  for (std::size_t i = 2; i < size; ++i) (i < cut ? hypothesis : reference).push_back(data[i] % words);
  sacrebleu::TerSearch search;
  const int edits = search.edits(hypothesis, reference, words);
  int plain = static_cast<int>(hypothesis.size());
  if (!reference.empty()) {
    sacrebleu::BandedEditDistance distances;
    distances.reset(reference, hypothesis.size(), words);
    plain = distances.set_base(hypothesis);
  }
  const auto difference = static_cast<int>(hypothesis.size()) - static_cast<int>(reference.size());
  if (edits > plain || edits < std::abs(difference)) std::abort();
  if (search.edits(reference, reference, words) != 0) std::abort();
  return 0;
}
