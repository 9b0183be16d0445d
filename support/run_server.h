#pragma once
/// How benchmarks are timed in turn by another program: requests on one stream, JSON lines on another.

#include <cstdint>
#include <functional>
#include <iosfwd>

#include "support/json.h"

namespace attnlab {

/// Writes `ready` as one line. Then answers each line `run N` of `in` with `measure(N)`, N of at least 1, until `quit`
/// or the end; any other line with {"error": ...}.
void serve_runs(std::istream& in, std::ostream& out, const Json& ready, const std::function<Json(int64_t)>& measure);

}  // namespace attnlab
