#pragma once
/// LibTorch's exceptions as one line for a person.

#include <string>

#include <c10/util/Exception.h>

namespace attnlab::run {

/// What to change where memory is not enough.
inline constexpr const char* kOutOfMemory =
    "out of memory: make training.batch_tokens, the model or the number of jobs smaller";

/// The first line of the message, without backtrace; for memory that cannot be had, on CPU or GPU, `kOutOfMemory`.
std::string describe(const c10::Error& error);

}  // namespace attnlab::run
