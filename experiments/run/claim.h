#pragma once
/// A folder belongs to one run: to one configuration, to the data and tokenizers of its first start.

#include <filesystem>

#include "experiments/data/dataset.h"
#include "experiments/run_folder/record.h"
#include "experiments/spec/run_config.h"

namespace attnlab::run {

/// Makes `config` the configuration of `folder`, which has its checkpoints/: writes config.json, and drops the record
/// of another one with which nothing was trained. Throws attnlab::Error if something was, or if config.json is not a
/// run's own.
void claim_configuration(const spec::RunConfig& config, const std::filesystem::path& folder);

/// The tokenizers of a run in `folder`: those that its first start trained, also where this version would train
/// others; before that, and where they were given, `asked`.
spec::TokenizerConfig claimed_tokenizers(const spec::TokenizerConfig& asked, const std::filesystem::path& folder,
                                         const run_folder::RunRecord& record);

/// Notes the hashes of data and tokenizers in `record`. Throws attnlab::Error if it has others: going on with them
/// would mix two runs.
void claim_data(const data::Dataset& dataset, const std::filesystem::path& folder, run_folder::RunRecord& record);

}  // namespace attnlab::run
