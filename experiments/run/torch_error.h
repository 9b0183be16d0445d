#pragma once
/// LibTorch's exceptions as one line for a person.

#include <string>

#include <c10/util/Exception.h>

namespace attnlab::run {

/// The first line of the message, without backtrace; for memory that cannot be had, on CPU or GPU, what to change.
std::string describe(const c10::Error& error);

}  // namespace attnlab::run
