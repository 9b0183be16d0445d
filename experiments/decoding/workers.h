#pragma once
/// Independent batches on several threads.

#include <cstdint>
#include <functional>

namespace attnlab::decoding {

/// Calls `work(i)` once for each i in [0, count). With `over_batches`, as many workers as torch has threads take the
/// next i in turn, and each runs its own operators on one thread: for small models that is faster than splitting every
/// operator. Exceptions reach the caller.
enum class Spread { over_operators, over_batches };
void for_each_batch(int64_t count, Spread spread, const std::function<void(int64_t)>& work);

}  // namespace attnlab::decoding
