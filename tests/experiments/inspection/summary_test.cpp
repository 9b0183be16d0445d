#include "experiments/inspection/analyses/summary.h"

#include <cmath>

#include "tests/experiments/inspection/toy.h"
#include "tests/support/catch.h"

namespace attnlab::inspection {
namespace {

/// The summary of one head whose matrix is given.
HeadSummary summary_of(AttentionKind kind, const torch::Tensor& matrix) {
  const int64_t sources = kind == AttentionKind::decoder ? 3 : matrix.size(1) - 1;
  const int64_t targets = kind == AttentionKind::encoder ? 3 : matrix.size(0) - 1;
  SummaryBuilder builder;
  builder.add({toy::sentence(0, sources, targets), {toy::maps(kind, matrix)}});
  return builder.result().at(0);
}

torch::Tensor shifted(int64_t size, int64_t offset) {
  torch::Tensor matrix = torch::zeros({size, size});
  for (int64_t q = 0; q < size; ++q) matrix[q][std::clamp<int64_t>(q + offset, 0, size - 1)] = 1;
  return matrix;
}

TEST_CASE("Positional heads are called by their key") {
  CHECK(summary_of(AttentionKind::encoder, shifted(6, -1)).role == Role::previous);
  CHECK(summary_of(AttentionKind::encoder, shifted(6, -1)).previous == 1);
  CHECK(summary_of(AttentionKind::encoder, shifted(6, 1)).role == Role::next);
  CHECK(summary_of(AttentionKind::encoder, shifted(6, 0)).role == Role::same);
  torch::Tensor to_end = torch::zeros({6, 6});
  to_end.select(1, 5).fill_(1);
  CHECK(summary_of(AttentionKind::encoder, to_end).role == Role::eos);
  CHECK(summary_of(AttentionKind::encoder, to_end).special_share == Approx(1));
  CHECK(summary_of(AttentionKind::encoder, to_end).confidence == Approx(0));
}

TEST_CASE("In the decoder the first token is the begin mark and nothing comes next") {
  torch::Tensor to_begin = torch::zeros({5, 5});
  to_begin.select(1, 0).fill_(1);
  const HeadSummary head = summary_of(AttentionKind::decoder, to_begin);
  CHECK(head.role == Role::bos);
  CHECK(head.bos == 1);
  CHECK(head.eos == 0);
  CHECK(head.next == 0);
  CHECK(head.special_share == Approx(1));
  CHECK(head.distance == Approx(2));
}

TEST_CASE("A uniform head is broad, whatever its first peak is") {
  const HeadSummary head = summary_of(AttentionKind::encoder, torch::full({4, 4}, 0.25));
  CHECK(head.role == Role::broad);
  CHECK(head.entropy == Approx(std::log(4.0)));
  CHECK(head.relative_entropy == Approx(1));
  CHECK(head.distance == Approx(1.25));
  CHECK(head.confidence == Approx(0.25));
  CHECK(head.rows == 4);
}

TEST_CASE("A uniform causal head is broad, too") {
  torch::Tensor causal = torch::ones({4, 4}).tril();
  causal = causal / causal.sum(-1, true);
  const HeadSummary head = summary_of(AttentionKind::decoder, causal);
  CHECK(head.relative_entropy == Approx(1));
  CHECK(head.role == Role::broad);
}

TEST_CASE("A head of no clear kind is mixed") {
  const auto matrix = torch::tensor({{.9, .1, 0., 0.}, {0., 0., .9, .1}, {.1, .9, 0., 0.}, {.9, 0., 0., .1}});
  CHECK(summary_of(AttentionKind::encoder, matrix).role == Role::mixed);
}

TEST_CASE("Rows that may see nothing are not counted") {
  auto matrix = torch::full({4, 4}, 0.25);
  matrix[2].zero_();
  CHECK(summary_of(AttentionKind::cross, matrix).rows == 3);
  CHECK(summary_of(AttentionKind::cross, matrix).entropy == Approx(std::log(4.0)));
}

TEST_CASE("Sentences weigh by their rows, and heads keep their numbers") {
  SummaryBuilder builder;
  builder.add({toy::sentence(0, 1, 3), {toy::maps(AttentionKind::encoder, torch::full({2, 2}, 0.5))}});
  builder.add({toy::sentence(1, 3, 3), {toy::maps(AttentionKind::encoder, torch::eye(4))}});
  const auto heads = builder.result();
  REQUIRE(heads.size() == 1);
  CHECK(heads[0].rows == 6);
  CHECK(heads[0].entropy == Approx(std::log(2.0) * 2 / 6));
  CHECK(summary_cells(heads[0]).size() == summary_columns().size());
}

TEST_CASE("The model that was built to look at its neighbours does") {
  auto model = toy::looks_at_neighbours();
  SummaryBuilder builder;
  capture(model, {toy::sentence(0, 7, 2), toy::sentence(1, 12, 2)}, {},
          [&](const SentenceMaps& maps) { builder.add(maps); });
  std::vector<HeadSummary> encoder;
  for (const HeadSummary& head : builder.result()) {
    if (head.address.kind == AttentionKind::encoder) encoder.push_back(head);
  }
  REQUIRE(encoder.size() == 2);
  CHECK(encoder[0].role == Role::previous);
  CHECK(encoder[0].previous == 1);
  CHECK(encoder[1].role == Role::next);
  CHECK(encoder[1].next == 1);
  CHECK(encoder[0].distance == Approx(1.0).margin(0.15));
}

}  // namespace
}  // namespace attnlab::inspection
