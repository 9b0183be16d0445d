#pragma once
/// The search of TER for the cheapest way of shifting blocks of words and editing single ones (Tercom's greedy method).

#include <cstdint>
#include <span>
#include <vector>

#include "sacrebleu/edit_distance.h"

namespace sacrebleu {

/// Number of edits from a hypothesis to a reference; keeps its memory between calls.
///
/// As long as it helps, the best single shift of a block of up to 10 words over up to 50 positions is applied; at most
/// 1000 candidate shifts are looked at over all rounds, and the round that reaches this number is discarded.
class TerSearch {
 public:
  /// Words are ids below `vocabulary`; an empty reference costs one edit a hypothesis word.
  int edits(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
            std::size_t vocabulary);

 private:
  struct Shift {
    int gain = 0;
    std::size_t length = 0, start = 0, target = 0;
    /// The original's order of preference: more gain, longer, earlier, earlier target.
    [[nodiscard]] bool better_than(const Shift& other) const;
    /// Where the block ends after a shift to the right, in a hypothesis of that many words.
    [[nodiscard]] std::size_t end(std::size_t words) const;
  };

  void align();
  bool find_best_shift(int distance, Shift& best);
  void try_targets(std::size_t start, std::size_t reference_start, std::size_t length, int distance, Shift& best,
                   bool& found);
  void shifted(const Shift& shift, std::vector<std::uint32_t>& words) const;
  [[nodiscard]] bool worthwhile(std::size_t start, std::size_t reference_start, std::size_t length) const;
  void find_occurrences(std::size_t vocabulary);

  std::span<const std::uint32_t> reference_;
  std::vector<std::uint32_t> hypothesis_, candidate_;
  BandedEditDistance distances_;
  int checked_ = 0;
  std::vector<int> alignment_;  ///< for each reference word the last hypothesis position at or before it, -1 if none
  std::vector<int> hypothesis_errors_, reference_errors_;      ///< number of errors before each position
  std::vector<std::uint32_t> occurrences_, occurrence_begin_;  ///< reference positions of each word
};

}  // namespace sacrebleu
