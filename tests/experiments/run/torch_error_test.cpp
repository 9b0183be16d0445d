#include "experiments/run/torch_error.h"

#include <c10/util/Logging.h>

#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tokenizer/tokenizer.h"

namespace attnlab::run {
namespace {

TEST_CASE("SentencePiece's flags lie apart from LibTorch's") {
  CHECK(tests::mentions(tests::error_message([] { tokenizer::Tokenizer::from_bytes("x", "m"); }), "m: not a"));
  // What follows FLAGS_minloglevel in libc10: set, it turns every failed check into an abort.
  CHECK_FALSE(FLAGS_caffe2_use_fatal_for_enforce);
}

TEST_CASE("LibTorch's errors are told in one line") {
  try {
    torch::ones({2, 3}).matmul(torch::ones({2, 3}));
    FAIL("the shapes do not fit");
  } catch (const c10::Error& error) {
    const std::string text = describe(error);
    CHECK(tests::mentions(text, "LibTorch: ", "2x3"));
    CHECK(text.find('\n') == std::string::npos);
  }
  const c10::Error no_memory({__func__, __FILE__, 1}, "DefaultCPUAllocator: can't allocate memory: you tried ...");
  CHECK(tests::mentions(describe(no_memory), "out of memory", "training.batch_tokens"));
}

}  // namespace
}  // namespace attnlab::run
