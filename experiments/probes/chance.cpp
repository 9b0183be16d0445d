#include "experiments/probes/chance.h"

#include <cmath>
#include <cstddef>

namespace attnlab::probes {

namespace {

class Chance : public Probe {
 public:
  explicit Chance(const ProbeInput& input) : dataset_(input.dataset) {}

  Findings finish(modules::Transformer&, bool) override {
    if (dataset_.valid.empty()) return {};
    const double loss = unigram_loss(dataset_.train, dataset_.valid, dataset_.target_tokenizer.vocab_size());
    Findings findings;
    findings.document = {{"unigram_loss", loss}, {"unigram_perplexity", std::exp(loss)}, {"split", "valid"}};
    findings.metrics["chance.unigram_loss"] = loss;
    return findings;
  }

 private:
  const data::Dataset& dataset_;
};

}  // namespace

double unigram_loss(const data::Pairs& train, const data::Pairs& held_out, int64_t vocab) {
  std::vector<double> counts(static_cast<size_t>(vocab), 1.0);
  auto all = static_cast<double>(vocab);
  for (const data::PairView pair : train) {
    for (const int32_t id : pair.target) counts[static_cast<size_t>(id)] += 1;
    all += static_cast<double>(pair.target.size());
  }
  double loss = 0, tokens = 0;
  for (const data::PairView pair : held_out) {
    for (const int32_t id : pair.target) loss -= std::log(counts[static_cast<size_t>(id)] / all);
    tokens += static_cast<double>(pair.target.size());
  }
  return loss / tokens;
}

std::unique_ptr<Probe> make_chance(const ProbeInput& input) {
  return std::make_unique<Chance>(input);
}

}  // namespace attnlab::probes
