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

/// A loaded SentencePiece model. Copies share it. Every member may be called from several threads. A
/// default-constructed one is empty: it can only be assigned to.
///
/// Every text is read with plain blanks (see blanks.h), so that doubled blanks and those at the ends change nothing.
/// Models that `train` made keep all else exactly (identity normalisation): decode(encode(x)) == with_plain_blanks(x)
/// for every x of known characters. A run of unknown characters comes back as one U+2047, and the second round changes
/// nothing more. A model that was given normalises as it was trained to.
class Tokenizer {
 public:
  Tokenizer() = default;

  /// Loads a `.model`. Throws attnlab::Error (with the path) if it is missing or damaged, or lacks one of pad, unk,
  /// bos, eos, or two of them are the same id.
  static Tokenizer load(const std::string& path);

  /// The same from the bytes of a model; `name` stands in messages where the path would.
  static Tokenizer from_bytes(std::string_view model, const std::string& name);

  /// The ids of one line, without bos and eos; none for a line of blanks only. Control symbols in the text (`</s>`)
  /// never become control ids. Any bytes are accepted: broken UTF-8 is read as U+FFFD, NUL is a character like any
  /// other (always unknown). Words of more than 4096 bytes are read as several.
  Ids encode(std::string_view line) const;

  /// Text of ids; bos, eos and pad are left out. Always valid UTF-8. Throws attnlab::Error for an id outside the
  /// vocabulary.
  std::string decode(const Ids& ids) const;

  /// The piece of an id, e.g. "▁Haus", always valid UTF-8. Throws attnlab::Error outside the vocabulary.
  std::string piece(int32_t id) const;

  /// The bytes of the `.model`, as they were loaded.
  const std::string& bytes() const;

  /// Ids that stand for no text, ascending: pad, bos, eos and the model's other control symbols. `encode` never gives
  /// them, `decode` leaves them out.
  Ids control_ids() const;

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
