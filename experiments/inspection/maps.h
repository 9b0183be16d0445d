#pragma once
/// What one forced pass over one sentence shows: its tokens and the attention weights of the chosen heads.
/// Letters: L layers, H heads, S source length with eos, T target length with eos.

#include <cstdint>
#include <string>
#include <vector>

#include "modules/context.h"
#include "modules/torch.h"

namespace attnlab::inspection {

using modules::AttentionKind;

/// All kinds, in the order in which they are written everywhere.
inline const std::vector<AttentionKind> kAllKinds = {AttentionKind::encoder, AttentionKind::decoder,
                                                     AttentionKind::cross};

/// `encoder`, `decoder` or `cross`.
std::string to_string(AttentionKind kind);

/// One position of a sequence.
struct Token {
  std::string piece;     ///< as SentencePiece writes it, e.g. "▁Haus"; always valid UTF-8
  int32_t id = 0;        ///< in its side's vocabulary
  bool special = false;  ///< bos, eos or pad: no part of the text
  int64_t word = -1;     ///< the word that it belongs to, split at blanks, from 0; -1: special
};
using Tokens = std::vector<Token>;

/// One sentence pair as the model sees it.
struct Sentence {
  int64_t id = 0;                        ///< its number among the sentences that were asked for, from 0
  std::string source_text, target_text;  ///< raw text; the target may be the model's own translation
  Tokens source;     ///< [S] pieces and eos: rows and columns of the encoder, columns of cross-attention
  Tokens input;      ///< [T] bos and pieces: what row t of the decoder reads; columns of the decoder
  Tokens predicted;  ///< [T] pieces and eos: what row t of decoder and cross-attention predicts
};

/// The weights of one kind.
struct KindMaps {
  AttentionKind kind = AttentionKind::encoder;
  std::vector<int64_t> layers, heads;  ///< numbers of the layers and heads that were chosen, from 0
  torch::Tensor weights;  ///< [layers, heads, query, key] float32 on the CPU: rows sum to 1, before dropout, no padding
};

/// One sentence with everything that was chosen.
struct SentenceMaps {
  Sentence sentence;
  std::vector<KindMaps> kinds;
};

/// Receives the weights of sentences, one sentence after the other and none kept: memory does not grow with their
/// number, nor with the layers of a large model.
class MapsSink {
 public:
  virtual ~MapsSink() = default;
  /// Some of the chosen layers of one kind: all of them at once, or one after the other from the lowest where a
  /// sentence has many weights. Kinds come in the order of `kAllKinds`.
  virtual void write(const Sentence& sentence, const KindMaps& part) = 0;
  /// The sentence is complete.
  virtual void end_sentence(const Sentence& sentence) = 0;
};

/// The tokens that the rows of a kind read, and those that its columns stand for.
const Tokens& query_tokens(const Sentence& sentence, AttentionKind kind);
const Tokens& key_tokens(const Sentence& sentence, AttentionKind kind);

/// True where a token is special: [n] bool.
torch::Tensor special_mask(const Tokens& tokens);

}  // namespace attnlab::inspection
