#pragma once
/// Turns the text of a corpus into a file of ids, on several threads, with a few thousand pairs in memory at a time.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/data/corpus_reader.h"
#include "experiments/data/encoded_file.h"
#include "tokenizer/line_encoder.h"

namespace attnlab::data {

class CorpusEncoder {
 public:
  /// Sentences of more than `most` pieces are over-long. `reader` and `writer` must outlive the encoder.
  CorpusEncoder(const CorpusReader& reader, const tokenizer::Tokenizer& source, const tokenizer::Tokenizer& target,
                tokenizer::Words words, size_t most, EncodedWriter& writer);

  /// Writes the training pairs that are short enough; the others are counted. Throws attnlab::Error if none is left.
  void encode_training();
  /// Writes all pairs of a split that is scored; over-long sentences are cropped.
  void encode_scored(const Split& split, SplitName name);

  /// `too_long`: training pairs left out; `cropped`: a line for the person for each cropped sentence.
  Json notes() const { return {{"too_long", too_long_}, {"cropped", cropped_}}; }

 private:
  struct Sides {
    tokenizer::LineEncoder source, target;
  };

  std::vector<EncodedPair>& encoded(const std::vector<std::string>& sources, const std::vector<std::string>& targets);
  void crop(Ids& ids, std::string_view side, size_t line, SplitName split);
  void add(EncodedPair& pair);

  const CorpusReader& reader_;
  int32_t source_eos_, target_eos_;
  size_t most_;
  EncodedWriter& writer_;
  std::vector<Sides> encoders_;  // one for each thread
  std::vector<EncodedPair> pairs_;
  int64_t too_long_ = 0;
  std::vector<std::string> cropped_;
};

}  // namespace attnlab::data
