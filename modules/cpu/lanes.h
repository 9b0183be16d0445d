#pragma once
/// The vectors that our loops compute with. No torch here.

#include <cstdint>

namespace attnlab::modules::cpu {

/// Sixteen numbers; narrower processors take them in parts.
using Lanes = float __attribute__((vector_size(64)));
constexpr int64_t lanes_size = 16;

}  // namespace attnlab::modules::cpu
