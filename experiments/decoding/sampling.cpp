#include "experiments/decoding/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "experiments/decoding/chains.h"
#include "experiments/decoding/row_scan.h"

namespace attnlab::decoding {
namespace {

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection whose output bits all depend on all input
/// bits.
uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

struct Weighted {
  int32_t token;
  double weight;  // probability up to a common factor
};

/// exp(logit / temperature) of all tokens that may be drawn, the likeliest having weight 1.
std::vector<Weighted> weights(std::span<const float> row, double temperature, std::span<const int32_t> banned) {
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  std::vector<float> logits(row.begin(), row.end());
  for (const int32_t token : banned) {
    if (token >= 0 && static_cast<size_t>(token) < logits.size()) logits[static_cast<size_t>(token)] = kNever;
  }
  float maximum = kNever;
  for (const float logit : logits) maximum = logit > maximum ? logit : maximum;
  std::vector<Weighted> weighted;
  if (!std::isfinite(maximum)) return weighted;
  weighted.reserve(logits.size());
  for (size_t i = 0; i < logits.size(); ++i) {
    if (!std::isfinite(logits[i])) continue;
    const double distance = static_cast<double>(logits[i]) - static_cast<double>(maximum);
    weighted.push_back({static_cast<int32_t>(i), std::exp(distance / temperature)});
  }
  return weighted;
}

double total(const std::vector<Weighted>& weighted) {
  return std::accumulate(weighted.begin(), weighted.end(), 0.0,
                         [](double sum, const Weighted& w) { return sum + w.weight; });
}

void keep_top_k(std::vector<Weighted>& weighted, int64_t k) {
  if (k > 0 && static_cast<size_t>(k) < weighted.size()) weighted.resize(static_cast<size_t>(k));
}

void keep_top_p(std::vector<Weighted>& weighted, double p) {
  const double enough = p * total(weighted);
  double sum = 0;
  size_t kept = 0;
  while (kept < weighted.size() && (kept == 0 || sum < enough)) sum += weighted[kept++].weight;
  weighted.resize(kept);
}

int32_t invert(const std::vector<Weighted>& weighted, double uniform) {
  double left = uniform * total(weighted);
  for (const Weighted& w : weighted) {
    left -= w.weight;
    if (left < 0) return w.token;
  }
  return weighted.back().token;  // rounding only
}

std::span<const float> row_of(const torch::Tensor& logits, int64_t row) {
  return {logits.const_data_ptr<float>() + row * logits.size(1), static_cast<size_t>(logits.size(1))};
}

double log_softmax(std::span<const float> logits, int32_t token) {
  const float maximum = *std::max_element(logits.begin(), logits.end());
  return static_cast<double>(logits[static_cast<size_t>(token)]) - log_sum_exp(logits, maximum);
}

}  // namespace

double uniform(uint64_t seed, uint64_t sentence, uint64_t sample, uint64_t step) {
  constexpr uint64_t kGamma = 0x9e3779b97f4a7c15ULL;
  uint64_t x = mix(seed + kGamma);
  for (const uint64_t key : {sentence, sample, step}) x = mix(x + kGamma * (key + 1));
  return static_cast<double>(x >> 11) * 0x1.0p-53;
}

int32_t draw(std::span<const float> logits, const Sampling& sampling, double uniform, std::span<const int32_t> banned) {
  std::vector<Weighted> weighted = weights(logits, sampling.temperature, banned);
  if (weighted.empty()) return -1;
  if (sampling.top_k > 0 || sampling.top_p < 1) {
    std::stable_sort(weighted.begin(), weighted.end(),
                     [](const Weighted& a, const Weighted& b) { return a.weight > b.weight; });
    keep_top_k(weighted, sampling.top_k);
    if (sampling.top_p < 1) keep_top_p(weighted, sampling.top_p);
  }
  return invert(weighted, uniform);
}

std::vector<std::vector<Hypothesis>> sample(StepModel& model, const std::vector<int64_t>& limits,
                                            const std::vector<int64_t>& sentences, const SearchOptions& options,
                                            const Sampling& sampling) {
  const auto samples = static_cast<size_t>(options.n_best);
  std::vector<std::vector<Hypothesis>> results(limits.size(), std::vector<Hypothesis>(samples));
  std::vector<Chain> chains = start_chains(model, limits.size(), samples, options.bos);
  const Bans bans(options);
  for (int64_t length = 1; !chains.empty(); ++length) {
    const torch::Tensor logits =
        model.next(next_tokens(chains)).to(torch::kCPU, torch::kFloat32).contiguous();  // [R, V]
    for (size_t row = 0; row < chains.size(); ++row) {
      const std::span<const float> scores = row_of(logits, static_cast<int64_t>(row));
      Chain& chain = chains[row];
      const double number = uniform(sampling.seed, static_cast<uint64_t>(sentences[chain.sentence]), chain.sample,
                                    static_cast<uint64_t>(length));
      const int32_t token = draw(scores, sampling, number, bans.at(length));
      extend(chain, results[chain.sentence][chain.sample], token, token < 0 ? 0 : log_softmax(scores, token), length,
             limits[chain.sentence], options);
    }
    drop_closed(chains, model);
  }
  return results;
}

}  // namespace attnlab::decoding
