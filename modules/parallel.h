#pragma once
/// Loops on torch's own threads. at::parallel_for is a template that runs in parallel only where the program itself is
/// compiled with -fopenmp, which would bring a second OpenMP library into the process with some compilers; this asks
/// the OpenMP library that torch has loaded.

#include <cstdint>

#include <c10/util/FunctionRef.h>

namespace attnlab::modules {

/// Calls `body(first, last)` for consecutive parts of [begin, end), of at least about `grain` each, on as many threads
/// as torch has; once with all of it where that is one, or inside of another parallel loop. Inside of a body torch's
/// operators and this function run on the calling thread alone. The first exception reaches the caller.
void parallel_for(int64_t begin, int64_t end, int64_t grain, c10::function_ref<void(int64_t, int64_t)> body);

}  // namespace attnlab::modules
