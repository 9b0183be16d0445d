#include "experiments/data/tensors.h"

#include "tests/support/catch.h"

namespace attnlab::data {
namespace {

constexpr int32_t kPad = 0, kBos = 2, kEos = 3;

/// Three pairs whose targets have 3, 1 and 2 tokens.
Batch three_pairs() {
  const std::vector<EncodedPair> pairs = {
      {{4, kEos}, {5, 6, kEos}}, {{4, 7, 8, kEos}, {kEos}}, {{9, kEos}, {10, kEos}}};
  return make_batch(pairs, kPad, kBos);
}

}  // namespace

TEST_CASE("A batch as tensors: ids padded on the right, labels without padding") {
  const Batch batch = three_pairs();
  const BatchTensors tensors = to_tensors(batch, torch::kCPU);
  CHECK(tensors.source.equal(torch::tensor({{4, 3, 0, 0}, {4, 7, 8, 3}, {9, 3, 0, 0}})));
  CHECK(tensors.source_lengths.equal(torch::tensor({2, 4, 2})));
  CHECK(tensors.target_input.equal(torch::tensor({{2, 5, 6}, {2, 0, 0}, {2, 10, 0}})));
  CHECK(tensors.target_lengths.equal(torch::tensor({3, 1, 2})));
  CHECK(tensors.labels.equal(torch::tensor({5, 6, 3, 3, 10, 3})));
  CHECK(tensors.target_tokens == 6);
  CHECK(padded_labels(batch, torch::kCPU).equal(torch::tensor({{5, 6, 3}, {3, 0, 0}, {10, 3, 0}})));
}

TEST_CASE("Some sentences of a batch are as wide as the whole") {
  const BatchTensors tensors = to_tensors(three_pairs(), /*first=*/1, /*count=*/2, torch::kCPU);
  CHECK(tensors.source.equal(torch::tensor({{4, 7, 8, 3}, {9, 3, 0, 0}})));
  CHECK(tensors.source_lengths.equal(torch::tensor({4, 2})));
  CHECK(tensors.target_input.equal(torch::tensor({{2, 0, 0}, {2, 10, 0}})));
  CHECK(tensors.target_lengths.equal(torch::tensor({1, 2})));
  CHECK(tensors.labels.equal(torch::tensor({3, 10, 3})));
  CHECK(tensors.target_tokens == 3);
}

}  // namespace attnlab::data
