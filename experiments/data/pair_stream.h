#pragma once
/// Sentence pairs from two parallel files, one after the other, whatever their size.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiments/data/corpus.h"
#include "experiments/data/line_stream.h"
#include "experiments/spec/run_config.h"
#include "tokenizer/reserved.h"

namespace attnlab::data {

/// The pairs of one split, as `load_parallel_text` gives them: the first `limit` ones, and of training those with two
/// sides that are not blank.
class PairStream {
 public:
  /// Throws attnlab::Error if a file cannot be read.
  PairStream(const spec::DataConfig& config, SplitName name);

  /// The next pair; false at the end, when both files have been read whole. Throws attnlab::Error for damaged files,
  /// bad UTF-8, unequal line counts, and a split without a pair.
  bool next(std::string& source, std::string& target);

  int64_t read() const { return read_; }    ///< pairs within the limit so far: the number of the last one's lines
  int64_t empty() const { return empty_; }  ///< of these, left out for an empty side
  /// What is not kept of the text of either side; complete at the end.
  std::vector<std::string> source_notes() const { return source_notes_.notes(); }
  std::vector<std::string> target_notes() const { return target_notes_.notes(); }

 private:
  void check_end();

  std::string key_, source_path_, target_path_;
  int64_t limit_;
  bool drops_empty_;
  std::unique_ptr<LineStream> source_, target_;
  int64_t read_ = 0, empty_ = 0;
  tokenizer::ReservedCounter source_notes_, target_notes_;
};

}  // namespace attnlab::data
