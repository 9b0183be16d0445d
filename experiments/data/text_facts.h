#pragma once
/// What is known of the text in the files of a corpus, so that files that were read once need not be read as text
/// again.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/data/corpus.h"
#include "experiments/spec/run_config.h"
#include "support/sha256.h"
#include "tokenizer/train.h"

namespace attnlab::data {

/// The digest of a corpus: its three splits in turn, of each the sources and then the targets.
class ContentDigest {
 public:
  void begin_side(size_t lines);
  void add(std::string_view line);
  /// Of everything so far, as 64 hex digits.
  std::string hex() const { return Sha256(digest_).hex(); }

 private:
  Sha256 digest_;
};

struct TextFacts {
  std::string content_hash;                                  ///< as in `Corpus`
  std::string train_hash;                                    ///< of the training pairs alone
  int64_t train_read = 0, train_empty = 0, train_pairs = 0;  ///< read, left out for an empty side, kept
  tokenizer::LongLines long_sources, long_targets;           ///< training lines, numbered as in the files
  std::vector<std::string> source_notes, target_notes;       ///< what is not kept of the training text
};

/// The digest of all files that a corpus in files is read from, byte for byte, and of the settings that decide what is
/// read of them. No date or size is trusted. Throws attnlab::Error if a file is missing or unreadable.
std::string digest_of_files(const spec::DataConfig& config);

/// The facts of a corpus in memory; its `content_hash` need not be there yet.
TextFacts facts_of(const Corpus& corpus);

/// Learns the facts from the text. Throws attnlab::Error as `load_corpus` does.
TextFacts read_text_facts(const spec::DataConfig& config);

/// The facts that are kept in the folder `cache` for these files; nothing if there are none, or damaged ones.
std::optional<TextFacts> kept_text_facts(const std::filesystem::path& cache, const std::string& files);

/// Keeps them there. Throws attnlab::Error.
void keep_text_facts(const std::filesystem::path& cache, const std::string& files, const TextFacts& facts);

}  // namespace attnlab::data
