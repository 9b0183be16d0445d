#include "sacrebleu/edit_distance.h"

#include <algorithm>
#include <cmath>

#include "sacrebleu/error.h"

namespace sacrebleu {
namespace {

constexpr int kInfinity = 1 << 29;
constexpr double kBeam = 25;

}  // namespace

void BandedEditDistance::reset(std::span<const std::uint32_t> reference, std::size_t hypothesis_length,
                               std::size_t vocabulary) {
  reference_ = reference;
  length_ = hypothesis_length;
  const std::size_t columns = reference.size() + 1;
  // The products are rounded down in doubles, as in the original: exact arithmetic would move the band for some
  // lengths.
  const double ratio = length_ == 0 ? 1.0 : static_cast<double>(reference.size()) / static_cast<double>(length_);
  const double beam = ratio / 2 > kBeam ? std::ceil(ratio / 2 + kBeam) : kBeam;
  bands_.assign(length_ + 1, {0, columns});
  unbanded_ = reference.size() <= 64;
  for (std::size_t i = 1; i <= length_; ++i) {
    const double diagonal = std::floor(static_cast<double>(i) * ratio);
    const auto begin = static_cast<std::size_t>(std::max(0.0, diagonal - beam));
    const auto end = i == length_ ? columns : std::min(columns, static_cast<std::size_t>(diagonal + beam));
    bands_[i] = {begin, end};
    unbanded_ = unbanded_ && begin == 0 && end == columns;
  }
  row_begin_.resize(length_ + 1);
  std::size_t cells_before = 0;
  for (std::size_t i = 0; i <= length_; ++i) {
    row_begin_[i] = cells_before;
    cells_before += 1 + bands_[std::min(i + 1, length_)].end - bands_[i].begin;
  }
  table_.resize(cells_before);
  for (auto& cells : scratch_) cells.assign(columns + 1, kInfinity);
  for (std::size_t j = 0; j < columns; ++j) row(0)[j] = static_cast<int>(j);
  positions_.assign(unbanded_ ? vocabulary : 0, 0);
  for (std::size_t j = 0; unbanded_ && j < reference.size(); ++j) positions_[reference[j]] |= std::uint64_t{1} << j;
}

/// Cells left of the band's begin and right of its end must be infinite in `above`; they are made so in `current`.
void BandedEditDistance::fill_row(const int* above, int* current, std::size_t i, std::uint32_t word) {
  const auto [begin, end] = bands_[i];
  int left = kInfinity;
  std::size_t j = begin;
  if (begin == 0) {
    left = current[0] = above[0] + 1;
    j = 1;
  } else {
    current[static_cast<std::ptrdiff_t>(begin) - 1] = kInfinity;
  }
  for (; j < end; ++j) {
    const int diagonal = above[j - 1] + (reference_[j - 1] == word ? 0 : 1);
    left = std::min({diagonal, above[j] + 1, left + 1});
    current[j] = left;
  }
  if (i < length_) {
    for (j = end; j < bands_[i + 1].end; ++j) current[j] = kInfinity;
  }
}

int BandedEditDistance::set_base(std::span<const std::uint32_t> hypothesis) {
  for (std::size_t i = 1; i <= length_; ++i) fill_row(row(i - 1), row(i), i, hypothesis[i - 1]);
  if (unbanded_) {
    columns_.resize(length_ + 1);
    columns_[0] = {~std::uint64_t{0}, 0, static_cast<int>(reference_.size())};
    for (std::size_t i = 0; i < length_; ++i) columns_[i + 1] = next(columns_[i], hypothesis[i]);
  }
  find_trace(hypothesis);
  return row(length_)[reference_.size()];
}

void BandedEditDistance::find_trace(std::span<const std::uint32_t> hypothesis) {
  trace_.clear();
  std::size_t i = length_;
  std::size_t j = reference_.size();
  while (i > 0 || j > 0) {
    const int cost = cell(i, j);
    if (cost >= kInfinity)
      throw Error(ErrorKind::runtime, "TER found no path through its band: the lengths of the lines differ too much");
    const bool match = i > 0 && j > 0 && hypothesis[i - 1] == reference_[j - 1];
    if (i > 0 && j > 0 && cell(i - 1, j - 1) + (match ? 0 : 1) == cost) {
      trace_.push_back(match ? EditOp::match : EditOp::substitute);
      --i, --j;
    } else if (i > 0 && cell(i - 1, j) + 1 == cost) {
      trace_.push_back(EditOp::remove);
      --i;
    } else {
      trace_.push_back(EditOp::insert);
      --j;
    }
  }
  std::reverse(trace_.begin(), trace_.end());
}

int BandedEditDistance::distance(std::span<const std::uint32_t> hypothesis, std::size_t begin, std::size_t end) {
  if (unbanded_) return bit_parallel_distance(hypothesis, begin, end);
  const int* above = row(begin);
  for (std::size_t i = begin + 1; i <= length_; ++i) {
    int* current = scratch_[i % 2].data() + 1;
    fill_row(above, current, i, hypothesis[i - 1]);
    above = current;
    if (i < end) continue;
    // From here on both have the same words: rows that differ by a constant stay so.
    const int* base = row(i);
    const int gap = current[bands_[i].begin] - base[bands_[i].begin];
    std::size_t j = bands_[i].begin;
    while (j < bands_[i].end && current[j] - base[j] == gap) ++j;
    if (j == bands_[i].end) return row(length_)[reference_.size()] + gap;
  }
  return above[reference_.size()];
}

int BandedEditDistance::bit_parallel_distance(std::span<const std::uint32_t> hypothesis, std::size_t begin,
                                              std::size_t end) const {
  Column column = columns_[begin];
  for (std::size_t i = begin; i < length_; ++i) {
    const Column& base = columns_[i];
    if (i >= end && column.plus == base.plus && column.minus == base.minus) {
      return columns_[length_].distance + column.distance - base.distance;
    }
    column = next(column, hypothesis[i]);
  }
  return column.distance;
}

int BandedEditDistance::cell(std::size_t i, std::size_t j) {
  return j >= bands_[i].begin && j < bands_[i].end ? row(i)[j] : kInfinity;
}

BandedEditDistance::Column BandedEditDistance::next(Column column, std::uint32_t word) const {
  const std::uint64_t equal = positions_[word];
  const std::uint64_t vertical = equal | column.minus;
  const std::uint64_t horizontal = (((equal & column.plus) + column.plus) ^ column.plus) | equal;
  std::uint64_t up = column.minus | ~(horizontal | column.plus);
  std::uint64_t down = column.plus & horizontal;
  const std::uint64_t last = std::uint64_t{1} << (reference_.size() - 1);
  column.distance += (up & last) != 0 ? 1 : (down & last) != 0 ? -1 : 0;
  up = (up << 1U) | 1U;
  down <<= 1U;
  column.plus = down | ~(vertical | up);
  column.minus = up & vertical;
  return column;
}

}  // namespace sacrebleu
