#include "experiments/decoding/top_k.h"

#include <cmath>
#include <limits>

#include "tests/support/catch.h"

using namespace attnlab::decoding;

TEST_CASE("The best k and their log-probabilities are those of log_softmax and topk") {
  torch::manual_seed(1);
  for (const int64_t vocab : {1, 5, 15, 16, 63, 64, 65, 200, 1000, 4099}) {
    const torch::Tensor logits = torch::randn({7, vocab}) * 5;
    const int64_t k = std::min<int64_t>(vocab, 6);
    const TopK best = log_softmax_top_k(logits, 6);
    const auto [values, tokens] = logits.to(torch::kFloat64).log_softmax(1).topk(k, 1);
    REQUIRE(best.k == k);
    for (int64_t row = 0; row < 7; ++row) {
      for (int64_t rank = 0; rank < k; ++rank) {
        CHECK(best.token_of(row, rank) == tokens[row][rank].item<int64_t>());
        CHECK(best.log_probability_of(row, rank) ==
              Approx(values[row][rank].item<double>()).epsilon(1e-6).margin(1e-6));
      }
    }
  }
}

TEST_CASE("Ties go to the lower token, banned tokens are left out but still counted") {
  const torch::Tensor logits = torch::zeros({1, 200});
  const std::vector<int32_t> banned{3, 1, -1, 200};
  const TopK best = log_softmax_top_k(logits, 3, banned);
  CHECK(best.token == std::vector<int32_t>{0, 2, 4});
  for (const float value : best.log_probability) CHECK(value == Approx(-std::log(200.0)));
}

TEST_CASE("Where fewer tokens than asked for are left, the places behind them are empty") {
  const std::vector<int32_t> banned{0, 2};
  const TopK best = log_softmax_top_k(torch::tensor({{9.0F, 1.0F, 8.0F, 2.0F}}), 3, banned);
  CHECK(best.token == std::vector<int32_t>{3, 1, -1});
}

TEST_CASE("Extreme logits stay exact, rows with NaN have no best") {
  const float infinity = std::numeric_limits<float>::infinity();
  const torch::Tensor logits =
      torch::tensor({{1e4F, 0.0F, -1e4F}, {-infinity, 2.0F, -infinity}, {0.0F, NAN, 1.0F}, {0.0F, infinity, 1.0F}});
  const TopK best = log_softmax_top_k(logits, 2);
  CHECK(best.token == std::vector<int32_t>{0, 1, 1, -1, -1, -1, -1, -1});
  CHECK(best.log_probability_of(0, 0) == 0);
  CHECK(best.log_probability_of(0, 1) == -1e4F);
  CHECK(best.log_probability_of(1, 0) == 0);
}

TEST_CASE("Other types and strides are read right") {
  const torch::Tensor logits = torch::arange(12, torch::kFloat32).view({4, 3}).t();
  CHECK(log_softmax_top_k(logits, 1).token == std::vector<int32_t>{3, 3, 3});
  CHECK(log_softmax_top_k(logits.to(torch::kBFloat16), 1).token == std::vector<int32_t>{3, 3, 3});
  CHECK(log_softmax_top_k(logits.to(torch::kFloat64), 1).log_probability_of(0, 0) ==
        Approx(logits[0].log_softmax(0)[3].item<float>()));
}
