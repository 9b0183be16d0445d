#pragma once
/// The logs and scores of a sweep for TensorBoard.

#include <cstddef>
#include <filesystem>

namespace attnlab::results {

/// Writes an event file for each run of the latest spec that has logged anything, below `folder` in the run's own
/// folder name. Tags: loss/train, loss/valid, perplexity/valid, bleu/valid, learning_rate, gradient_norm,
/// tokens_per_second, and the final metrics of completed runs (test/bleu, ...) at the last step. Times: the run's
/// start, plus the seconds that its steps took. Gives the number of runs. Throws attnlab::Error if `out` holds no sweep
/// or a file cannot be written.
size_t export_tensorboard(const std::filesystem::path& out, const std::filesystem::path& folder);

}  // namespace attnlab::results
