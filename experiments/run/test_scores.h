#pragma once
/// A trained model judged: its losses, and the test set translated and scored.

#include <filesystem>

#include "experiments/data/dataset.h"
#include "experiments/run_folder/record.h"
#include "experiments/spec/run_config.h"
#include "experiments/training/trainer.h"
#include "modules/transformer.h"

namespace attnlab::run {

/// Fills the metrics "valid.*" and "test.*" of `record` and their signatures, and writes translations.txt and
/// references.txt into `folder`. `observer` hears the warnings.
void score_test_set(const spec::RunConfig& config, const std::filesystem::path& folder, const data::Dataset& dataset,
                    modules::Transformer& model, training::Observer& observer, run_folder::RunRecord& record);

}  // namespace attnlab::run
