#include "experiments/spec/difference.h"

#include "tests/support/catch.h"

namespace attnlab::spec {
namespace {

TEST_CASE("the first key that differs is named with both values") {
  RunConfig there, here;
  CHECK(first_difference(there, here).empty());
  here.evaluation.metrics = {"bleu", "ter"};
  CHECK(first_difference(there, here) == R"(evaluation.metrics: ["bleu"] there, ["bleu","ter"] here)");
  there.model.heads = 1;
  CHECK(first_difference(there, here) == "model.heads: 1 there, 8 here");
  there.seed = 3;
  CHECK(first_difference(there, here) == "seed: 3 there, 1 here");
}

}  // namespace
}  // namespace attnlab::spec
