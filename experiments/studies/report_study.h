#pragma once
/// The comparison of any study again, from its folder.

#include <filesystem>
#include <optional>

#include "experiments/studies/study.h"

namespace attnlab::studies {

/// The comparison of the study whose `comparison.json` stands in `out`, as far as its runs are done; nothing if there
/// is none, or one of a sweep of another name. Throws attnlab::Error if that file is damaged.
std::optional<StudyReport> report_study(const std::filesystem::path& out);

}  // namespace attnlab::studies
