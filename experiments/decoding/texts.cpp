#include "experiments/decoding/texts.h"

#include <set>
#include <utility>

namespace attnlab::decoding {

std::vector<Reading> texts(const tokenizer::Tokenizer& target, const std::vector<Hypothesis>& hypotheses) {
  std::vector<Reading> readings;
  for (const Hypothesis& hypothesis : hypotheses) readings.push_back({target.decode(hypothesis.ids), hypothesis});
  return readings;
}

std::vector<Reading> distinct_texts(const tokenizer::Tokenizer& target, const std::vector<Hypothesis>& hypotheses) {
  std::set<std::string> seen;
  std::vector<Reading> distinct;
  for (Reading& reading : texts(target, hypotheses)) {
    if (seen.insert(reading.text).second) distinct.push_back(std::move(reading));
  }
  return distinct;
}

}  // namespace attnlab::decoding
