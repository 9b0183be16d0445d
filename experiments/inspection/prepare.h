#pragma once
/// From lines of text to the sentences of a forced pass.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/checkpoint/trained_run.h"
#include "experiments/inspection/maps.h"

namespace attnlab::inspection {

/// Hears of lines that were cropped to `data.max_pieces`.
using Warn = std::function<void(const std::string&)>;

/// Encodes the sources with the run's tokenizers; each gets the given target, or the run's own translation (its
/// decoding settings) where `targets` is absent. Sentence i is line i. Throws attnlab::Error if there are not as many
/// targets as sources.
std::vector<Sentence> prepare_sentences(checkpoint::TrainedRun& run, const std::vector<std::string>& sources,
                                        const std::optional<std::vector<std::string>>& targets, const Warn& warn = {});

}  // namespace attnlab::inspection
