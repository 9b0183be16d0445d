#pragma once
/// Sentence pairs in ids: as vectors, and as a view of pairs that lie elsewhere.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace attnlab::data {

using tokenizer::Ids;

/// One pair in ids: source = pieces + eos; target = pieces + eos (the decoder's input is bos + target without its
/// last).
struct EncodedPair {
  Ids source, target;
};

/// The same, lying elsewhere.
struct PairView {
  std::span<const int32_t> source, target;
};

/// A list of pairs that lie elsewhere, in a vector or in one long row of ids (a mapped file): cheap to copy, and good
/// for as long as what it looks at.
class Pairs {
 public:
  class Iterator {
   public:
    Iterator(const Pairs& pairs, size_t at) : pairs_(&pairs), at_(at) {}
    PairView operator*() const { return (*pairs_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Pairs* pairs_;
    size_t at_;
  };

  Pairs() = default;
  /// Not explicit: whoever has a vector has such a list.
  Pairs(const std::vector<EncodedPair>& pairs) : size_(pairs.size()), vector_(pairs.data()) {}
  /// `ids` holds source 0, target 0, source 1, ...; `ends[k]` is where the k-th of them ends, 2 * `size` numbers.
  Pairs(const int32_t* ids, const uint64_t* ends, size_t size) : size_(size), ids_(ids), ends_(ends) {}

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  PairView operator[](size_t i) const {
    if (vector_ != nullptr) return {vector_[i].source, vector_[i].target};
    const uint64_t start = i == 0 ? 0 : ends_[2 * i - 1], middle = ends_[2 * i], end = ends_[2 * i + 1];
    return {{ids_ + start, ids_ + middle}, {ids_ + middle, ids_ + end}};
  }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

  /// The first pairs, at most so many.
  Pairs first(size_t count) const {
    Pairs pairs = *this;
    if (count < size_) pairs.size_ = count;
    return pairs;
  }

  /// The pairs themselves.
  std::vector<EncodedPair> copy() const {
    std::vector<EncodedPair> pairs;
    pairs.reserve(size_);
    for (const PairView pair : *this)
      pairs.push_back({{pair.source.begin(), pair.source.end()}, {pair.target.begin(), pair.target.end()}});
    return pairs;
  }

 private:
  size_t size_ = 0;
  const EncodedPair* vector_ = nullptr;
  const int32_t* ids_ = nullptr;
  const uint64_t* ends_ = nullptr;
};

}  // namespace attnlab::data
