// What can be chosen by name: topics, keys, and words that are neither.

#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

TEST_CASE("a topic tells of each entry its paper, where it may stand and what it refuses") {
  const Shell shell;
  const Outcome outcome = shell("$A list attention");
  CHECK(outcome.exit_code == 0);
  CHECK(mentions(outcome.out, "attention: kernels that compute attention", "fused", "paper: Vaswani et al. 2017",
                 "stands in: encoder self-attention, decoder self-attention, cross-attention",
                 "refuses: dropout.attention above 0; shaw positions"));
  CHECK(mentions(shell("$A list build").out, "libtorch", "vectors: ", "cuda"));
}

TEST_CASE("without a topic every key is listed, and the topics at the end; a part of a key chooses keys") {
  const Shell shell;
  CHECK(mentions(shell("$A list").out, "model.norm.type", "attnlab list TOPIC", "generators"));
  const Outcome keys = shell("$A list norm.type");
  CHECK(mentions(keys.out, "model.norm.type", "layer_norm"));
  CHECK(!mentions(keys.out, "model.attention"));
}

TEST_CASE("an unknown topic is refused with those that there are") {
  const Shell shell;
  const Outcome outcome = shell("$A list tasks");
  CHECK(outcome.exit_code == 2);
  CHECK(mentions(outcome.err, "'tasks' is no topic", "attention", "positions", "norms", "metrics", "probes",
                 "generators", "build", "model.norm.type"));
}

}  // namespace
}  // namespace attnlab::tests
