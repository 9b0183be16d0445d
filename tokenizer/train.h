#pragma once
/// Trains a SentencePiece model from lines in memory. The same lines and options give the same bytes, everywhere.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::tokenizer {

/// SentencePiece's four kinds of model.
enum class ModelType { bpe, unigram, word, character };

/// `bpe`, `unigram`, `word` or `char`. Throws attnlab::Error for another name.
ModelType model_type(std::string_view name);

struct TrainOptions {
  ModelType type = ModelType::bpe;
  /// Pieces at most, with the four special ones and the user symbols. Fewer where the text does not give as many: ask
  /// the model for the number that it got.
  int64_t vocab_size = 8000;
  double character_coverage = 1.0;  ///< in [0.98, 1]: rarer characters become unknown
  /// Each becomes exactly one piece wherever it stands in a line (a blank inside is written as U+2581 in the piece).
  /// Not for `word`, where every word is one piece already.
  std::vector<std::string> user_symbols;
};

/// Throws attnlab::Error for an option out of its range, or a user symbol that is empty, doubled, blank at an end, or
/// one of the four special ones: all that can be said without the text.
void check(const TrainOptions& options);

/// The bytes of a model with pad 0, unk 1, bos 2, eos 3 and identity normalisation (see Tokenizer). Lines are valid
/// UTF-8 without their ends, and read with plain blanks. Those of more than `kLongestTrainingLine` bytes are left out,
/// as are the characters NUL and U+2585 (see reserved.h).
///
/// Throws attnlab::Error: what `check` refuses, a vocabulary that cannot hold the characters of the text (with the
/// smallest number that works), or no text.
std::string train(const std::vector<std::string_view>& lines, const TrainOptions& options);

/// The same, written atomically: after an error there is no new file.
void train_to_file(const std::vector<std::string_view>& lines, const TrainOptions& options,
                   const std::filesystem::path& path);

/// Longer lines do not take part in training (in bytes). They are no sentences, and cost much time.
inline constexpr size_t kLongestTrainingLine = 8192;

/// Counts the lines of a text that are too long for that.
struct LongLines {
  int64_t count = 0, first = 0;  ///< first: the number of the first of them, from 1; 0 without one

  /// The line of that number, from 1.
  void add(std::string_view line, int64_t number);

  /// One sentence with count and first, or none if there is no such line.
  std::vector<std::string> notes() const;
};

/// How many of the lines have a part in training: they are not too long, and have more than blanks, NUL and U+2585.
size_t count_trainable(const std::vector<std::string_view>& lines);

}  // namespace attnlab::tokenizer
