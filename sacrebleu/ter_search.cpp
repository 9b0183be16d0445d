#include "sacrebleu/ter_search.h"

#include <algorithm>
#include <tuple>

namespace sacrebleu {
namespace {

constexpr std::size_t kMaxShiftLength = 10;
constexpr std::size_t kMaxShiftDistance = 50;
constexpr int kMaxCandidates = 1000;

}  // namespace

bool TerSearch::Shift::better_than(const Shift& other) const {
  return std::tie(gain, length, other.start, other.target) > std::tie(other.gain, other.length, start, target);
}

std::size_t TerSearch::Shift::end(std::size_t words) const {
  return target > start + length ? target : std::min(length + target, words);
}

int TerSearch::edits(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                     std::size_t vocabulary) {
  if (reference.empty()) return static_cast<int>(hypothesis.size());
  reference_ = reference;
  hypothesis_.assign(hypothesis.begin(), hypothesis.end());
  distances_.reset(reference_, hypothesis_.size(), vocabulary);
  find_occurrences(vocabulary);
  checked_ = 0;
  for (int shifts = 0;; ++shifts) {
    const int distance = distances_.set_base(hypothesis_);
    align();
    Shift best;
    const bool found = find_best_shift(distance, best);
    if (checked_ >= kMaxCandidates || !found || best.gain <= 0) return shifts + distance;
    shifted(best, candidate_);
    hypothesis_.swap(candidate_);
  }
}

/// Positions of every word in the reference, grouped by word.
void TerSearch::find_occurrences(std::size_t vocabulary) {
  occurrence_begin_.assign(vocabulary + 1, 0);
  for (const auto word : reference_) ++occurrence_begin_[word + 1];
  for (std::size_t i = 0; i < vocabulary; ++i) occurrence_begin_[i + 1] += occurrence_begin_[i];
  occurrences_.resize(reference_.size());
  auto next = occurrence_begin_;
  for (std::size_t j = 0; j < reference_.size(); ++j)
    occurrences_[next[reference_[j]]++] = static_cast<std::uint32_t>(j);
}

void TerSearch::align() {
  alignment_.clear();
  hypothesis_errors_.assign(1, 0);
  reference_errors_.assign(1, 0);
  int position = -1;
  for (const EditOp op : distances_.trace()) {
    const int error = op == EditOp::match ? 0 : 1;
    if (op != EditOp::insert) {
      ++position;
      hypothesis_errors_.push_back(hypothesis_errors_.back() + error);
    }
    if (op != EditOp::remove) {
      alignment_.push_back(position);
      reference_errors_.push_back(reference_errors_.back() + error);
    }
  }
}

/// Only blocks that are wrong where they stand and whose place is wrong, too, are shifted, and never into themselves.
bool TerSearch::worthwhile(std::size_t start, std::size_t reference_start, std::size_t length) const {
  if (hypothesis_errors_[start + length] == hypothesis_errors_[start]) return false;
  if (reference_errors_[reference_start + length] == reference_errors_[reference_start]) return false;
  const int aligned = alignment_[reference_start];
  return aligned < static_cast<int>(start) || aligned >= static_cast<int>(start + length);
}

bool TerSearch::find_best_shift(int distance, Shift& best) {
  bool found = false;
  for (std::size_t start = 0; start < hypothesis_.size(); ++start) {
    const std::uint32_t word = hypothesis_[start];
    const auto nearest = std::lower_bound(occurrences_.begin() + occurrence_begin_[word],
                                          occurrences_.begin() + occurrence_begin_[word + 1],
                                          start < kMaxShiftDistance ? 0 : start - kMaxShiftDistance);
    for (auto o = static_cast<std::size_t>(nearest - occurrences_.begin()); o < occurrence_begin_[word + 1]; ++o) {
      const std::size_t target = occurrences_[o];
      if (target > start + kMaxShiftDistance) break;
      const std::size_t longest = std::min({kMaxShiftLength, hypothesis_.size() - start, reference_.size() - target});
      for (std::size_t length = 1; length <= longest; ++length) {
        if (hypothesis_[start + length - 1] != reference_[target + length - 1]) break;
        if (!worthwhile(start, target, length)) continue;
        try_targets(start, target, length, distance, best, found);
        if (checked_ >= kMaxCandidates) return found;
      }
    }
  }
  return found;
}

/// The block goes in front of the word that is aligned to the place before the matching one, and to each place within
/// it.
void TerSearch::try_targets(std::size_t start, std::size_t reference_start, std::size_t length, int distance,
                            Shift& best, bool& found) {
  int previous = -1;
  for (std::size_t offset = 0; offset <= length; ++offset) {
    const std::size_t place = reference_start + offset;  // one more than the place itself
    if (place > reference_.size()) break;
    const int target = place == 0 ? 0 : alignment_[place - 1] + 1;
    if (target == previous) continue;
    previous = target;
    Shift shift{0, length, start, static_cast<std::size_t>(target)};
    shifted(shift, candidate_);
    const std::size_t end =
        shift.target < start ? start + length : std::max(start + length, shift.end(hypothesis_.size()));
    shift.gain = distance - distances_.distance(candidate_, std::min(start, shift.target), end);
    ++checked_;
    if (!found || shift.better_than(best)) best = shift;
    found = true;
  }
}

/// A target inside the block moves the block to the right by its distance from the block's start, a quirk of the
/// original.
void TerSearch::shifted(const Shift& shift, std::vector<std::uint32_t>& words) const {
  words.assign(hypothesis_.begin(), hypothesis_.end());
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(shift.start);
  const auto end = begin + static_cast<std::ptrdiff_t>(shift.length);
  const auto target = words.begin() + static_cast<std::ptrdiff_t>(shift.target);
  if (shift.target < shift.start) {
    std::rotate(target, begin, end);
  } else {
    std::rotate(begin, end, words.begin() + static_cast<std::ptrdiff_t>(shift.end(words.size())));
  }
}

}  // namespace sacrebleu
