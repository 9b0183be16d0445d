#pragma once
/// sacreBLEU's metrics as the configuration of a run sets them up.

#include <memory>
#include <string>

#include "experiments/spec/run_config.h"
#include "sacrebleu/metric.h"

namespace attnlab::evaluation {

/// The metric of that name, one of `spec::score_names`; `log` receives its warnings. Throws attnlab::Error for another
/// name and sacrebleu::Error for an unknown tokenizer.
///
/// `multi_bleu` is BLEU with the number of Moses' multi-bleu.perl (Koehn et al., 2007) and sacreBLEU's signature for
/// the same, `tok:none|smooth:none`: words between blanks, no smoothing, so 0 where some order of n-grams has no match.
/// Both differ where the text has blanks beyond ASCII (U+00A0, say), which the script takes for letters, and, with
/// `lowercase`, capitals beyond ASCII, which its `-lc` leaves as they are.
std::unique_ptr<sacrebleu::Metric> make_metric(const std::string& name, const spec::EvaluationConfig& config,
                                               sacrebleu::Log log = {});

}  // namespace attnlab::evaluation
