#include "experiments/run/failure.h"

#include <filesystem>
#include <new>

#include "experiments/run/torch_error.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::run {

std::string describe_failure(const std::exception& error) {
  if (dynamic_cast<const Error*>(&error) != nullptr) return error.what();
  if (const auto* of_torch = dynamic_cast<const c10::Error*>(&error)) return describe(*of_torch);
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return kOutOfMemory;
  if (const auto* of_files = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return attnlab::describe(*of_files);
  return std::string("internal error: ") + error.what();
}

}  // namespace attnlab::run
