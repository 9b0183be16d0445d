#pragma once
/// The numbers of each head over a set of sentences.

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/inspection/maps.h"

namespace attnlab::inspection {

/// One head of the model.
struct HeadAddress {
  AttentionKind kind = AttentionKind::encoder;
  int64_t layer = 0, head = 0;  ///< from 0
  auto operator<=>(const HeadAddress&) const = default;
};

/// What a head mostly does. Positional roles are those of Voita et al. 2019; rules: `role_of`.
enum class Role { previous, next, same, eos, bos, broad, mixed };
std::string to_string(Role role);

/// One head over all rows of all sentences. Rows of cross-attention and of the decoder stand at the position of the
/// token they read (decoder) or predict (cross-attention), both counted from 0.
struct HeadSummary {
  HeadAddress address;
  int64_t rows = 0;             ///< rows that were counted; those that may see nothing are not
  double entropy = 0;           ///< mean over rows, nats
  double relative_entropy = 0;  ///< mean over rows with at least two visible keys, in [0, 1]
  double distance = 0;          ///< mean over rows of sum_k a_k |q - k|, positions
  double confidence = 0;        ///< mean over rows of the largest weight, the end mark left out as row and as key
  double special_share = 0;     ///< mean weight on bos, eos and pad
  // Shares of rows whose largest weight is on that key, over rows that have this key and at least one other:
  double previous = 0, next = 0, same = 0, eos = 0, bos = 0;
  Role role = Role::mixed;

  // Analyses that need more than weights; absent where they were not made or mean nothing.
  std::optional<double> alignment_error_rate;  ///< cross-attention against gold links, in [0, 1]
  std::optional<double> coreference_accuracy;  ///< share of pronouns whose row is largest at the antecedent
  std::optional<double> coreference_share;     ///< mean weight of that row on the antecedent
  std::optional<double> importance;            ///< mean |dL/dgate| (Michel et al. 2019), nats per token
  std::optional<double> importance_in_layer;   ///< the same, scaled so that each layer has length 1
  std::optional<double> loss_change;           ///< loss without the head minus loss with it, nats per token
  std::optional<double> bleu_change;           ///< BLEU without the head minus BLEU with it
};

/// `broad` if the relative entropy is at least 0.9; else the positional key with the largest share if that is at least
/// 0.6; else `mixed`.
Role role_of(const HeadSummary& head);

/// Adds up sentences; memory does not grow with their number.
class SummaryBuilder {
 public:
  void add(const SentenceMaps& maps);
  /// Some layers of one kind.
  void add(const Sentence& sentence, const KindMaps& part);
  std::vector<HeadSummary> result() const;

 private:
  struct Mean {
    double sum = 0, count = 0;
    double value() const { return count > 0 ? sum / count : 0; }
  };
  struct Sums {
    Mean entropy, relative_entropy, distance, confidence, special_share, previous, next, same, eos, bos;
  };
  std::map<HeadAddress, Sums> heads_;
};

/// The columns of heads.csv and summary.csv after the address, and one head's cells; absent values are empty.
std::vector<std::string> summary_columns();
std::vector<std::string> summary_cells(const HeadSummary& head);

}  // namespace attnlab::inspection
