#pragma once
/// The files of an analysis: heads.csv, heads.json and pictures.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/inspection/analyses/importance.h"
#include "experiments/inspection/analyses/summary.h"
#include "experiments/inspection/maps.h"
#include "modules/torch.h"

namespace attnlab::inspection {

/// Everything that the analyses of one run found.
struct HeadReport {
  std::map<std::string, std::string> about;  ///< run, weights, split
  int64_t sentences = 0;
  std::vector<HeadSummary> heads;
  std::map<int64_t, double> layer_alignment;  ///< alignment error rate of the mean over a layer's cross-attention heads
  int64_t aligned_sentences = 0, unaligned_sentences = 0;  ///< scored against gold links, and left out
  std::map<AttentionKind, double> coreference_chance;      ///< accuracy of a guess
  int64_t pronouns = 0;                                    ///< encoder rows that were scored
  std::map<AttentionKind, torch::Tensor> jensen_shannon;   ///< [G, G], heads in the order of `heads` of that kind
  double loss = 0;                                         ///< of the whole model, nats per token
  std::vector<PruningStep> pruning;                        ///< empty: not asked for
};

/// Writes heads.csv (one line a head) and heads.json (the same with everything else) into `folder`, and importance.svg,
/// loss_change.svg and pruning.svg where there is something to draw. Returns the names of the files.
std::vector<std::string> write_report(const std::filesystem::path& folder, const HeadReport& report);

/// The JSON document of heads.json.
std::string report_json(const HeadReport& report);

}  // namespace attnlab::inspection
