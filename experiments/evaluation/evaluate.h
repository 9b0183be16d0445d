#pragma once
/// Scores of a model over a split: perplexity, and BLEU and friends of its translations against the raw references.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "experiments/data/dataset.h"
#include "experiments/decoding/decode.h"
#include "experiments/spec/run_config.h"
#include "modules/transformer.h"

namespace attnlab::evaluation {

/// Unsmoothed negative log-likelihood over target tokens with eos.
struct LossReport {
  double loss = 0;        ///< nats per token
  double perplexity = 0;  ///< exp(loss)
  double accuracy = 0;    ///< share of tokens whose likeliest prediction is right, in [0, 1]
  int64_t tokens = 0;
};
LossReport score_loss(modules::Transformer& model, const data::Pairs& pairs, int32_t bos, int64_t batch_tokens);

/// Scores of translations.
struct TranslationScores {
  std::map<std::string, double> metrics;          ///< the scores that are asked for (0-100), "exact": percent of lines
                                                  ///< that are the reference word for word
  std::map<std::string, std::string> signatures;  ///< of the same names, except exact
  std::vector<std::string> warnings;              ///< e.g. tokenised-looking output
};
TranslationScores score_translations(const std::vector<std::string>& hypotheses,
                                     const std::vector<std::string>& references, const spec::EvaluationConfig& config);

/// Decodes a split and gives the detokenised best hypotheses in its order, each as one line without tabs.
std::vector<std::string> translate(modules::Transformer& model, const data::Dataset& dataset, const data::Pairs& pairs,
                                   const spec::DecodingConfig& config);

}  // namespace attnlab::evaluation
