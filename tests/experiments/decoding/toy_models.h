#pragma once
/// Hand-made models whose next token is a plain function of the prefix, and the search by brute force over them.

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "experiments/decoding/hypothesis.h"
#include "experiments/decoding/search_options.h"
#include "experiments/decoding/step_model.h"
#include "modules/torch.h"

namespace attnlab::decoding::test {

/// Logits of the next token of a sentence after a prefix (without bos).
using Logits = std::function<std::vector<float>(int64_t sentence, const Ids& prefix)>;

/// Keeps prefixes as they are.
class PrefixModel : public StepModel {
 public:
  PrefixModel(int64_t sentences, Logits logits) : logits_(std::move(logits)) {
    for (int64_t i = 0; i < sentences; ++i) rows_.push_back({i, {}});
  }
  torch::Tensor next(const std::vector<int64_t>& tokens) override {
    if (tokens.size() != rows_.size()) throw std::logic_error("as many tokens as rows");
    fed_ += static_cast<int64_t>(tokens.size());
    std::vector<torch::Tensor> all;
    for (size_t r = 0; r < rows_.size(); ++r) {
      if (begun_) rows_[r].prefix.push_back(static_cast<int32_t>(tokens[r]));
      all.push_back(torch::tensor(logits_(rows_[r].sentence, rows_[r].prefix)));
    }
    begun_ = true;
    return torch::stack(all);
  }
  void select(const std::vector<int64_t>& rows) override {
    std::vector<Row> selected;
    for (const int64_t row : rows) selected.push_back(rows_.at(static_cast<size_t>(row)));
    rows_ = selected;
  }
  /// Rows times steps: how much work the search asked for.
  int64_t fed() const { return fed_; }

 private:
  struct Row {
    int64_t sentence;
    Ids prefix;
  };
  Logits logits_;
  std::vector<Row> rows_;
  bool begun_ = false;
  int64_t fed_ = 0;
};

/// Logits that look random and depend on the whole prefix.
inline Logits scrambled(int64_t vocab, uint64_t seed) {
  return [=](int64_t sentence, const Ids& prefix) {
    uint64_t state = seed * 1000003 + static_cast<uint64_t>(sentence) + 17;
    for (const int32_t id : prefix)
      state = (state ^ static_cast<uint64_t>(id + 1)) * 6364136223846793005ULL + 1442695040888963407ULL;
    std::vector<float> logits;
    for (int64_t i = 0; i < vocab; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      logits.push_back(static_cast<float>(static_cast<double>(state >> 40) / static_cast<double>(1 << 24) * 4 - 2));
    }
    return logits;
  };
}

/// log(softmax) by the definition.
inline std::vector<double> log_softmax(const std::vector<float>& logits) {
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
  std::vector<double> result;
  for (const float logit : logits) result.push_back(static_cast<double>(logit) - std::log(sum));
  return result;
}

/// Every hypothesis of a sentence: finished ones best first, then those cut at `limit`, best first.
inline std::vector<Hypothesis> brute_force(const Logits& logits, int64_t sentence, int64_t limit,
                                           const SearchOptions& options) {
  std::vector<Hypothesis> finished, cut;
  const std::function<void(const Ids&, double)> visit = [&](const Ids& prefix, double log_probability) {
    const auto length = static_cast<int64_t>(prefix.size());
    if (length == limit) {
      cut.push_back({prefix, options.penalty.score(log_probability, length), log_probability, false});
      return;
    }
    const std::vector<double> next = log_softmax(logits(sentence, prefix));
    for (int32_t token = 0; token < static_cast<int32_t>(next.size()); ++token) {
      if (std::count(options.banned.begin(), options.banned.end(), token) > 0) continue;
      const double total = log_probability + next[static_cast<size_t>(token)];
      if (token == options.eos) {
        if (length >= options.min_length)
          finished.push_back({prefix, options.penalty.score(total, length + 1), total, true});
      } else {
        Ids longer = prefix;
        longer.push_back(token);
        visit(longer, total);
      }
    }
  };
  visit({}, 0);
  const auto by_score = [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; };
  std::stable_sort(finished.begin(), finished.end(), by_score);
  std::stable_sort(cut.begin(), cut.end(), by_score);
  finished.insert(finished.end(), cut.begin(), cut.end());
  return finished;
}

}  // namespace attnlab::decoding::test
