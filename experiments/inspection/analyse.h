#pragma once
/// All analyses of one run over one set of sentences.

#include <functional>
#include <string>
#include <vector>

#include "experiments/checkpoint/trained_run.h"
#include "experiments/data/corpus.h"
#include "experiments/inspection/analyses/alignment.h"
#include "experiments/inspection/report.h"

namespace attnlab::inspection {

/// What is analysed. Targets are given ones (forced), so that gold links fit.
struct AnalysisInput {
  std::vector<Sentence> sentences;
  std::vector<data::Gold> gold;         ///< one for each sentence, or empty: no coreference
  std::vector<GoldLinks> links;         ///< one for each sentence, or empty: no alignment error rate
  std::vector<std::string> references;  ///< raw targets, for BLEU
  std::vector<Sentence> validation;     ///< by whose loss heads are pruned
};

/// Which of the costly analyses are made; the others always are.
struct AnalysisOptions {
  bool removal = true;  ///< loss without each head: one pass over the sentences a head
  bool bleu = false;    ///< BLEU without each head: one greedy translation of the sentences a head
  bool pruning =
      false;  ///< greedy pruning: H (H + 1) / 2 passes over the validation sentences, a translation at each of `points`
  int64_t points = 12;  ///< points of the pruning curve that get a BLEU, about
};

/// Told what is being done, and how much of it, in [0, 1].
using AnalysisProgress = std::function<void(const std::string& what, double done)>;

/// Sentences for which Jensen-Shannon distances between heads are taken, at most: they cost the square of the heads.
inline constexpr int64_t kJensenShannonSentences = 50;

HeadReport analyse(checkpoint::TrainedRun& run, const AnalysisInput& input, const AnalysisOptions& options,
                   const AnalysisProgress& progress = {});

/// The generator's links as reference links: all are sure.
std::vector<GoldLinks> gold_links(const std::vector<data::Gold>& gold);

}  // namespace attnlab::inspection
