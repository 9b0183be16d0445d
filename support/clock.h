#pragma once
/// How long something took.

#include <chrono>

namespace attnlab {

/// A clock that is never set back.
using Clock = std::chrono::steady_clock;

/// Seconds from `start` until now.
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace attnlab
