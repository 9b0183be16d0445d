#include "experiments/decoding/top_k.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "experiments/decoding/row_scan.h"
#include "modules/parallel.h"

namespace attnlab::decoding {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

/// The k largest seen so far, sorted, the earlier one first among equals.
class Best {
 public:
  Best(float* values, int32_t* tokens, int64_t k) : values_(values), tokens_(tokens), last_(k - 1) {
    std::fill_n(values, k, kNever);
    std::fill_n(tokens, k, -1);
  }
  float threshold() const { return values_[last_]; }
  void insert(float value, int64_t token) {
    int64_t place = last_;
    for (; place > 0 && value > values_[place - 1]; --place) {
      values_[place] = values_[place - 1];
      tokens_[place] = tokens_[place - 1];
    }
    values_[place] = value;
    tokens_[place] = static_cast<int32_t>(token);
  }

 private:
  float* values_;
  int32_t* tokens_;
  int64_t last_;
};

bool contains(std::span<const int32_t> tokens, int64_t token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

void scan_row(std::span<const float> row, std::span<float> maxima, int64_t k, std::span<const int32_t> banned,
              float* values, int32_t* tokens) {
  block_maxima(row, maxima);
  const double normalizer = log_sum_exp(row, *std::max_element(maxima.begin(), maxima.end()));
  Best best(values, tokens, k);
  if (!std::isfinite(normalizer)) return;
  const auto size = static_cast<int64_t>(row.size());
  for (size_t block = 0; block < maxima.size(); ++block) {
    if (!(maxima[block] > best.threshold())) continue;
    const int64_t begin = static_cast<int64_t>(block) * kScanBlock;
    for (int64_t i = begin; i < std::min(size, begin + kScanBlock); ++i) {
      const float value = row[static_cast<size_t>(i)];
      if (value > best.threshold() && !contains(banned, i)) best.insert(value, i);
    }
  }
  for (int64_t i = 0; i < k; ++i) values[i] = static_cast<float>(static_cast<double>(values[i]) - normalizer);
}

TopK top_k_on_host(const torch::Tensor& logits, int64_t k, std::span<const int32_t> banned) {
  const int64_t rows = logits.size(0), vocab = logits.size(1);
  TopK best{k, std::vector<float>(static_cast<size_t>(rows * k)), std::vector<int32_t>(static_cast<size_t>(rows * k))};
  const auto* data = logits.const_data_ptr<float>();
  modules::parallel_for(0, rows, 4, [&](int64_t begin, int64_t end) {
    std::vector<float> maxima(static_cast<size_t>((vocab + kScanBlock - 1) / kScanBlock));
    for (int64_t row = begin; row < end; ++row) {
      scan_row({data + row * vocab, static_cast<size_t>(vocab)}, maxima, k, banned,
               best.log_probability.data() + row * k, best.token.data() + row * k);
    }
  });
  return best;
}

TopK top_k_on_device(const torch::Tensor& logits, int64_t k, std::span<const int32_t> banned) {
  const torch::Tensor normalizer = logits.logsumexp(1, /*keepdim=*/true);  // [R, 1]
  torch::Tensor candidates = logits - normalizer;                          // [R, V]
  candidates.masked_fill_(candidates.isnan(), kNever);
  for (const int32_t token : banned) {
    if (token >= 0 && token < candidates.size(1)) candidates.select(1, token).fill_(kNever);
  }
  auto [values, tokens] = candidates.topk(k, /*dim=*/1);  // [R, k]
  tokens = tokens.masked_fill(values == kNever, -1).to(torch::kInt32).cpu();
  values = values.cpu();
  return {k,
          {values.const_data_ptr<float>(), values.const_data_ptr<float>() + values.numel()},
          {tokens.const_data_ptr<int32_t>(), tokens.const_data_ptr<int32_t>() + tokens.numel()}};
}

}  // namespace

void TopK::append(const TopK& more) {
  k = more.k;
  log_probability.insert(log_probability.end(), more.log_probability.begin(), more.log_probability.end());
  token.insert(token.end(), more.token.begin(), more.token.end());
}

TopK log_softmax_top_k(const torch::Tensor& logits, int64_t k, std::span<const int32_t> banned) {
  const torch::Tensor dense = logits.detach().to(torch::kFloat32).contiguous();
  k = std::min(k, dense.size(1));
  return dense.is_cpu() ? top_k_on_host(dense, k, banned) : top_k_on_device(dense, k, banned);
}

}  // namespace attnlab::decoding
