#include "experiments/run/failure.h"

#include <filesystem>
#include <new>

#include "modules/torch.h"
#include "support/error.h"
#include "tests/support/catch.h"

namespace attnlab::run {
namespace {

TEST_CASE("a failure is told in words that fit its kind") {
  CHECK(describe_failure(Error("a.txt: empty")) == "a.txt: empty");
  CHECK(describe_failure(std::bad_alloc()) ==
        "out of memory: make training.batch_tokens, the model or the number of jobs smaller");
  CHECK(describe_failure(c10::Error({__func__, __FILE__, 1}, "shapes differ")) == "LibTorch: shapes differ");
  const auto code = std::make_error_code(std::errc::no_space_on_device);
  CHECK(describe_failure(std::filesystem::filesystem_error("rename", "a", code)) == "'a': No space left on device");
  CHECK(describe_failure(std::out_of_range("map::at")) == "internal error: map::at");
}

}  // namespace
}  // namespace attnlab::run
