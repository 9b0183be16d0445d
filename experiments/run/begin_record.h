#pragma once
/// The record of a run as each of its starts begins it.

#include <filesystem>

#include "experiments/run_folder/record.h"
#include "experiments/spec/run_config.h"

namespace attnlab::run {

/// The record in `folder`, or a new one, now running: on this machine, with this version, with nothing of how an
/// earlier start ended. Its threads are those of the first start; of a new record, `threads`, or LibTorch's number if
/// that is 0. Throws attnlab::Error if the record is damaged.
run_folder::RunRecord begin_record(const spec::RunConfig& config, const std::filesystem::path& folder, int threads);

}  // namespace attnlab::run
