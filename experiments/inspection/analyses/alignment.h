#pragma once
/// Alignment error rate of cross-attention (Och & Ney 2003, "A Systematic Comparison of Various Statistical Alignment
/// Models", section 6).

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/inspection/analyses/summary.h"
#include "experiments/inspection/analyses/words.h"
#include "experiments/inspection/maps.h"

namespace attnlab::inspection {

/// Reference links of one sentence. Sure links are possible, too.
struct GoldLinks {
  std::vector<Link> sure, possible;
};

/// Adds up |A and S|, |A and P|, |A| and |S| over sentences.
class AlignmentErrorRate {
 public:
  void add(const std::vector<Link>& links, const GoldLinks& gold);
  /// 1 - (|A and S| + |A and P|) / (|A| + |S|), in [0, 1]; NaN without links.
  double value() const;

 private:
  int64_t in_sure_ = 0, in_possible_ = 0, links_ = 0, sure_ = 0;
};

/// Alignment of every cross-attention head, and of the mean over the heads of each layer. Row t of cross-attention is
/// credited to the token that it predicts, not to the one that it reads.
class AlignmentScorer {
 public:
  /// Sentences whose gold links name words that the pieces do not have are counted in `skipped`.
  void add(const SentenceMaps& maps, const GoldLinks& gold);
  /// The same in parts: the sentence is counted, then some layers of it are added. Kinds other than cross-attention say
  /// nothing.
  void begin(const Sentence& sentence, const GoldLinks& gold);
  void add(const Sentence& sentence, const KindMaps& part, const GoldLinks& gold);

  std::map<HeadAddress, double> heads() const;
  std::map<int64_t, double> layer_means() const;  ///< layer -> rate of the average over its heads
  int64_t sentences() const { return sentences_; }
  int64_t skipped() const { return skipped_; }

 private:
  std::map<HeadAddress, AlignmentErrorRate> heads_;
  std::map<int64_t, AlignmentErrorRate> layers_;
  int64_t sentences_ = 0, skipped_ = 0;
  bool fits_ = false;  // the links of the sentence that has begun
};

/// Reads a file in Pharaoh format, plain or gzip: a line a sentence, links `source-target` counted from 0;
/// `source?target` or `sourceptarget` is possible only. Throws attnlab::Error with file and line.
std::vector<GoldLinks> read_pharaoh(const std::filesystem::path& path);

/// Throws attnlab::Error with file and line for a link to a word that its sentence does not have. `links[i]`, from line
/// i + 1 of `file`, is about `sources[i]` and `targets[i]`, whose words stand between blanks.
void require_words(const std::vector<GoldLinks>& links, const std::vector<std::string>& sources,
                   const std::vector<std::string>& targets, const std::filesystem::path& file);

/// One line of that format; `where` begins messages.
GoldLinks parse_pharaoh(const std::string& line, const std::string& where);

}  // namespace attnlab::inspection
