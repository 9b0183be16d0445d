#include "experiments/run/torch_error.h"

namespace attnlab::run {

std::string describe(const c10::Error& error) {
  const std::string message = error.what_without_backtrace();
  const bool no_memory = message.find("can't allocate memory") != std::string::npos ||
                         dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr;
  if (no_memory) return kOutOfMemory;
  return "LibTorch: " + message.substr(0, message.find('\n'));
}

}  // namespace attnlab::run
