#pragma once
/// Word edit distance between hypotheses of one length and one reference, inside the band that Tercom searches.

#include <cstdint>
#include <span>
#include <vector>

namespace sacrebleu {

/// One step of rewriting the hypothesis into the reference.
enum class EditOp : std::uint8_t { none, match, substitute, remove, insert };

/// Distances of rearrangements of a hypothesis. Row i of the table belongs to the first i hypothesis words; only
/// columns within 25 of the pseudo-diagonal i * |reference| / |hypothesis| exist (more for extreme lengths), the last
/// one excluded, except in the last row. Costs are 1; at equal cost a match or substitution comes before removing a
/// hypothesis word, and that before inserting a reference word.
class BandedEditDistance {
 public:
  /// Words are ids below `vocabulary`. The spans must outlive the use of this object until the next reset.
  void reset(std::span<const std::uint32_t> reference, std::size_t hypothesis_length, std::size_t vocabulary);

  /// Computes and keeps the whole table of a hypothesis; returns its distance. Throws Error (runtime) when the band
  /// leads nowhere.
  int set_base(std::span<const std::uint32_t> hypothesis);
  /// The operations of the base's best path, from the beginning.
  [[nodiscard]] const std::vector<EditOp>& trace() const { return trace_; }

  /// The distance of another order of the same words, which differs from the base only in the words [begin, end).
  int distance(std::span<const std::uint32_t> hypothesis, std::size_t begin, std::size_t end);

 private:
  struct Band {
    std::size_t begin, end;
  };
  /// Vertical differences of a column of the unbanded table, 64 reference words at a time (Myers 1999, Hyyrö 2003).
  struct Column {
    std::uint64_t plus, minus;
    int distance;
  };

  /// Row i of the base's table, to be indexed by column from bands_[i].begin - 1 to the end of the next row's band.
  int* row(std::size_t i) { return table_.data() + row_begin_[i] - bands_[i].begin + 1; }
  [[nodiscard]] int cell(std::size_t i, std::size_t j);
  int bit_parallel_distance(std::span<const std::uint32_t> hypothesis, std::size_t begin, std::size_t end) const;
  void fill_row(const int* above, int* current, std::size_t i, std::uint32_t word);
  void find_trace(std::span<const std::uint32_t> hypothesis);
  [[nodiscard]] Column next(Column column, std::uint32_t word) const;

  std::span<const std::uint32_t> reference_;
  std::size_t length_ = 0;
  std::vector<Band> bands_;
  bool unbanded_ =
      false;  ///< the band holds every cell and the reference has at most 64 words: bit-parallel columns do

  std::vector<int>
      table_;  ///< the cells of every band, with one more on the left and room for the next row's on the right
  std::vector<std::size_t> row_begin_;
  std::vector<int> scratch_[2];  ///< whole rows, with a wall on the left
  std::vector<EditOp> trace_;
  std::vector<Column> columns_;
  std::vector<std::uint64_t> positions_;  ///< for each word the bits of its reference positions
};

}  // namespace sacrebleu
