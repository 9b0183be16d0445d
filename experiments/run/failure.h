#pragma once
/// Why a run failed, as one line for a person.

#include <exception>
#include <string>

namespace attnlab::run {

/// The message of an attnlab::Error as it is; for memory that cannot be had, on CPU or GPU, what to change; for
/// LibTorch's errors and those of the file system their own line. Anything else is a fault of the program and says so.
std::string describe_failure(const std::exception& error);

}  // namespace attnlab::run
