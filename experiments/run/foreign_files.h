#pragma once
/// The folder of a run before its first start, when what stands there is somebody else's. From then on the names of a
/// run's files (run_experiment.h) are its own.

#include <filesystem>

namespace attnlab::run {

/// Asks whether a run may begin, or go on, in `folder`, which need not exist. Throws attnlab::Error if it is a sweep's,
/// or if no run was begun there and it holds files under the names that a run writes.
void require_free_or_begun(const std::filesystem::path& folder);

/// Asks whether a run's config.json may be replaced by another configuration: only as this program wrote it, character
/// by character. One that a person wrote or changed is not. Throws attnlab::Error.
void require_own_configuration(const std::filesystem::path& config);

}  // namespace attnlab::run
