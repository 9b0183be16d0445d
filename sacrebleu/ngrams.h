#pragma once
/// Exact n-gram counting with integers: an interner for words, and a trie of n-grams whose edges live in one hash
/// table. Both are emptied in constant time, so that one instance serves a whole corpus without allocation.

#include <cstdint>
#include <string_view>
#include <vector>

namespace sacrebleu {

/// Gives equal words equal ids, 0, 1, 2, ...; the words must live until clear().
class Interner {
 public:
  void clear();
  std::uint32_t id(std::string_view word);

 private:
  struct Slot {
    std::uint32_t epoch = 0, id = 0;
    std::uint64_t hash = 0;
    std::string_view word;
  };
  void grow();

  std::vector<Slot> slots_ = std::vector<Slot>(256);
  std::uint32_t epoch_ = 1, size_ = 0;
};

/// The n-grams of all orders of a segment. A node stands for one n-gram; its key is the node of the n-gram without the
/// last symbol together with that symbol, so equal nodes mean equal n-grams and no two n-grams are ever confused.
class NgramTrie {
 public:
  struct Node {
    std::uint32_t epoch = 0, id = 0;
    std::uint64_t key = 0;
    std::uint32_t limit = 0;  ///< the count that matches are clipped by
    std::uint32_t used = 0;   ///< count within the text of `owner`
    std::uint32_t owner = 0;  ///< which text `used` counts; starts at 1
  };
  static constexpr std::uint32_t kRoot = 0;

  /// Empties the trie and makes room for `nodes` more of them: pointers stay valid until the next clear.
  void clear(std::size_t nodes);
  /// The n-gram `parent` followed by symbol, created when it is new.
  Node& insert(std::uint32_t parent, std::uint32_t symbol);
  /// The same, or nullptr when it was never inserted.
  Node* find(std::uint32_t parent, std::uint32_t symbol);

 private:
  static std::uint64_t mix(std::uint64_t key) {
    key *= 0x9E3779B97F4A7C15ULL;
    return key ^ (key >> 32U);
  }
  Node& slot(std::uint64_t key);

  std::vector<Node> slots_ = std::vector<Node>(1024);
  std::uint32_t epoch_ = 0, size_ = 0;
};

inline NgramTrie::Node& NgramTrie::slot(std::uint64_t key) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = mix(key) & mask;
  while (slots_[at].epoch == epoch_ && slots_[at].key != key) at = (at + 1) & mask;
  return slots_[at];
}

inline NgramTrie::Node& NgramTrie::insert(std::uint32_t parent, std::uint32_t symbol) {
  const std::uint64_t key = (static_cast<std::uint64_t>(parent) << 32U) | symbol;
  Node& node = slot(key);
  if (node.epoch != epoch_) node = {epoch_, ++size_, key, 0, 0, 0};
  return node;
}

inline NgramTrie::Node* NgramTrie::find(std::uint32_t parent, std::uint32_t symbol) {
  Node& node = slot((static_cast<std::uint64_t>(parent) << 32U) | symbol);
  return node.epoch == epoch_ ? &node : nullptr;
}

}  // namespace sacrebleu
