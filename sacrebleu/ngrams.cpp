#include "sacrebleu/ngrams.h"

#include <functional>

namespace sacrebleu {

void Interner::clear() {
  size_ = 0;
  if (++epoch_ != 0) return;
  slots_.assign(slots_.size(), {});
  epoch_ = 1;
}

std::uint32_t Interner::id(std::string_view word) {
  const std::uint64_t hash = std::hash<std::string_view>{}(word);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.epoch != epoch_) {
      slot = {epoch_, size_, hash, word};
      const std::uint32_t id = size_++;
      if (size_ * 2 > slots_.size()) grow();
      return id;
    }
    if (slot.hash == hash && slot.word == word) return slot.id;
  }
}

void Interner::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.epoch != epoch_) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].epoch == epoch_) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

void NgramTrie::clear(std::size_t nodes) {
  size_ = 0;
  ++epoch_;
  if (nodes * 2 <= slots_.size() && epoch_ != 0) return;
  std::size_t size = slots_.size();
  while (size < nodes * 2) size *= 2;
  slots_.assign(size, {});
  epoch_ = 1;
}

}  // namespace sacrebleu
