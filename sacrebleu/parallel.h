#pragma once
/// Threads over an index range. What is computed for an index must not depend on the others, so results never depend on
/// the number of threads.

#include <cstddef>
#include <functional>

namespace sacrebleu {

/// Calls work(begin, end) on consecutive blocks of [0, count) from up to `threads` threads, and rethrows the error of
/// the earliest block that failed. threads < 1 counts as 1.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t begin, std::size_t end)>& work);

}  // namespace sacrebleu
