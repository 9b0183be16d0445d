#include "experiments/evaluation/metric.h"

#include <utility>

#include <fmt/format.h>

#include "experiments/spec/metrics.h"
#include "sacrebleu/bleu.h"
#include "sacrebleu/chrf.h"
#include "sacrebleu/ter.h"
#include "support/error.h"

namespace attnlab::evaluation {

std::unique_ptr<sacrebleu::Metric> make_metric(const std::string& name, const spec::EvaluationConfig& config,
                                               sacrebleu::Log log) {
  if (name == "bleu") {
    sacrebleu::BleuOptions options;
    options.lowercase = config.lowercase;
    options.tokenize = config.bleu_tokenize;
    options.log = std::move(log);
    return std::make_unique<sacrebleu::BLEU>(options);
  }
  if (name == "multi_bleu") {
    sacrebleu::BleuOptions options;
    options.lowercase = config.lowercase;
    options.tokenize = "none";
    options.smooth_method = sacrebleu::Smoothing::none;
    options.force = true;  // the text is meant to be tokenised
    return std::make_unique<sacrebleu::BLEU>(options);
  }
  if (name == "chrf") {
    sacrebleu::ChrfOptions options;
    options.lowercase = config.lowercase;
    return std::make_unique<sacrebleu::CHRF>(options);
  }
  if (name == "ter") {
    sacrebleu::TerOptions options;
    options.case_sensitive = !config.lowercase;
    return std::make_unique<sacrebleu::TER>(options);
  }
  throw Error(fmt::format("evaluation.metrics names '{}'; known are {}", name, spec::names_of(spec::score_names())));
}

}  // namespace attnlab::evaluation
