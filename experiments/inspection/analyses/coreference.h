#pragma once
/// How often a pronoun's row is largest at the word that it refers to.

#include <cstdint>
#include <map>
#include <optional>

#include "experiments/data/corpus.h"
#include "experiments/inspection/analyses/summary.h"
#include "experiments/inspection/maps.h"

namespace attnlab::inspection {

/// Accuracy and weight of one head over all pronouns.
struct CoreferenceScore {
  double accuracy =
      0;  ///< share of pronouns whose largest weight, among words other than the row's own, is on the antecedent
  double share = 0;   ///< mean weight of the row on the antecedent's pieces
  double chance = 0;  ///< mean of 1 / (words to choose from)
  int64_t pronouns = 0;
};

/// Looks at the source pronoun in the encoder (row "it", column its antecedent), at the row that predicts the pronoun's
/// translation in cross-attention (column the source antecedent), and at the same row in the decoder (column the
/// antecedent's translation, if it stands before). Translations are found through the gold links, so targets must be
/// the gold ones.
class CoreferenceScorer {
 public:
  void add(const SentenceMaps& maps, const data::Gold& gold);
  /// Some layers of one kind.
  void add(const Sentence& sentence, const KindMaps& part, const data::Gold& gold);
  std::map<HeadAddress, CoreferenceScore> heads() const;

 private:
  struct Sums {
    double right = 0, share = 0, chance = 0;
    int64_t pronouns = 0;
  };
  std::map<HeadAddress, Sums> heads_;
};

}  // namespace attnlab::inspection
