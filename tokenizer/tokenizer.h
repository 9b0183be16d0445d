#pragma once
/// SentencePiece behind one small class: text to ids and back. No torch, no files other than the model.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::tokenizer {

/// Ids as SentencePiece numbers them.
using Ids = std::vector<int32_t>;

/// A loaded SentencePiece model. Copies share it. Every member may be called from several threads.
class Tokenizer {
 public:
  /// Loads a `.model`. Throws attnlab::Error (with the path) if it is missing or damaged, or lacks one of pad, unk, bos, eos, or two of
  /// them are the same id.
  static Tokenizer load(const std::string& path);

  /// The ids of one line, without bos and eos. Control symbols in the text (`</s>`) never become control ids. Any bytes are accepted:
  /// broken UTF-8 is read as U+FFFD.
  Ids encode(std::string_view line) const;

  /// Text of ids; bos, eos and pad are left out. Always valid UTF-8.
  std::string decode(const Ids& ids) const;

  /// The piece of an id, e.g. "▁Haus", always valid UTF-8. Throws attnlab::Error outside the vocabulary.
  std::string piece(int32_t id) const;

  int32_t vocab_size() const;
  int32_t pad() const;
  int32_t unk() const;
  int32_t bos() const;
  int32_t eos() const;

 private:
  struct Model;
  std::shared_ptr<const Model> model_;
};

}  // namespace attnlab::tokenizer
