#include "experiments/decoding/greedy.h"

#include "experiments/decoding/chains.h"

namespace attnlab::decoding {

std::vector<std::vector<Hypothesis>> greedy_search(StepModel& model, const std::vector<int64_t>& limits,
                                                   const SearchOptions& options) {
  std::vector<std::vector<Hypothesis>> results(limits.size(), std::vector<Hypothesis>(1));
  std::vector<Chain> chains = start_chains(model, limits.size(), /*samples=*/1, options.bos);
  const Bans bans(options);
  for (int64_t length = 1; !chains.empty(); ++length) {
    const TopK best = model.best(next_tokens(chains), 1, bans.at(length));
    for (size_t row = 0; row < chains.size(); ++row) {
      const size_t sentence = chains[row].sentence;
      extend(chains[row], results[sentence].front(), best.token[row], best.log_probability[row], length,
             limits[sentence], options);
    }
    drop_closed(chains, model);
  }
  return results;
}

}  // namespace attnlab::decoding
