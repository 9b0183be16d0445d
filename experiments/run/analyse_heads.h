#pragma once
/// The numbers of every head of a run's model, made after its training.

#include <filesystem>
#include <map>
#include <string>

#include "experiments/data/dataset.h"
#include "experiments/spec/run_config.h"
#include "modules/transformer.h"

namespace attnlab::run {

/// Analyses the heads over the test set with its given targets and writes heads.csv, heads.json and the pictures into
/// `folder` (made if missing), as `attnlab attend --analyse` does. Returns what the table shows of it, in percent:
/// "heads.coreference" of the best head of any kind and "heads.alignment_error_rate" of the best cross head, where the
/// data knows the true links.
std::map<std::string, double> analyse_heads(const spec::RunConfig& config, const data::Dataset& dataset,
                                            modules::Transformer& model, const std::filesystem::path& folder);

}  // namespace attnlab::run
