#include "experiments/decoding/length_penalty.h"

#include <algorithm>
#include <cmath>

#include "support/error.h"

namespace attnlab::decoding {

LengthPenalty LengthPenalty::named(const std::string& rule, double alpha) {
  if (!std::isfinite(alpha)) throw Error("decoding.alpha must be a finite number");
  if (rule == "gnmt") return {Rule::gnmt, alpha};
  if (rule == "average") return {Rule::average, alpha};
  if (rule == "none") return {Rule::none, alpha};
  throw Error("decoding.length_penalty is '" + rule + "'; it must be gnmt, average or none");
}

double LengthPenalty::score(double log_probability, int64_t length) const {
  const auto tokens = static_cast<double>(length);
  switch (rule_) {
    case Rule::gnmt:
      return log_probability / std::pow((5.0 + tokens) / 6.0, alpha_);
    case Rule::average:
      return log_probability / std::pow(tokens, alpha_);
    case Rule::none:
      break;
  }
  return log_probability;
}

double LengthPenalty::bound(double log_probability, int64_t shortest, int64_t longest) const {
  return std::max(score(log_probability, shortest), score(log_probability, longest));
}

}  // namespace attnlab::decoding
