#include "experiments/decoding/chains.h"

#include <algorithm>

namespace attnlab::decoding {

std::vector<Chain> start_chains(StepModel& model, size_t sentences, size_t samples, int32_t bos) {
  std::vector<Chain> chains;
  std::vector<int64_t> copies;
  for (size_t sentence = 0; sentence < sentences; ++sentence) {
    for (size_t sample = 0; sample < samples; ++sample) {
      chains.push_back({sentence, sample, bos, /*open=*/true});
      copies.push_back(static_cast<int64_t>(sentence));
    }
  }
  if (samples != 1) model.select(copies);
  return chains;
}

std::vector<int64_t> next_tokens(const std::vector<Chain>& chains) {
  std::vector<int64_t> tokens;
  tokens.reserve(chains.size());
  for (const Chain& chain : chains) tokens.push_back(chain.token);
  return tokens;
}

void extend(Chain& chain, Hypothesis& hypothesis, int32_t token, double log_probability, int64_t length, int64_t limit,
            const SearchOptions& options) {
  const bool possible = token >= 0;
  if (possible) hypothesis.log_probability += log_probability;
  if (possible && token != options.eos) hypothesis.ids.push_back(token);
  hypothesis.finished = token == options.eos;
  chain.token = token;
  chain.open = possible && !hypothesis.finished && length < limit;
  if (chain.open) return;
  const int64_t tokens = static_cast<int64_t>(hypothesis.ids.size()) + (hypothesis.finished ? 1 : 0);
  hypothesis.score = options.penalty.score(hypothesis.log_probability, std::max<int64_t>(tokens, 1));
}

void drop_closed(std::vector<Chain>& chains, StepModel& model) {
  std::vector<int64_t> kept;
  for (size_t row = 0; row < chains.size(); ++row) {
    if (chains[row].open) kept.push_back(static_cast<int64_t>(row));
  }
  if (kept.size() == chains.size()) return;
  std::erase_if(chains, [](const Chain& chain) { return !chain.open; });
  if (!chains.empty()) model.select(kept);
}

}  // namespace attnlab::decoding
