#pragma once
/// The end of a run of the command before its regular one.

#include <string>

namespace sacrebleu {

/// Thrown to end the command with a code; text goes to the standard output for code 0 and to the error stream
/// otherwise.
struct Exit {
  int code = 0;
  std::string text;
};

}  // namespace sacrebleu
