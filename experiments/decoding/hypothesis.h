#pragma once
/// One decoded sentence.

#include "tokenizer/tokenizer.h"

namespace attnlab::decoding {

using tokenizer::Ids;

/// One finished hypothesis.
struct Hypothesis {
  Ids ids;                     ///< without bos and eos
  double score = 0;            ///< log-probability over the length penalty: what the search sorted by
  double log_probability = 0;  ///< sum over ids and eos, in nats
  bool finished = true;        ///< false: cut at the maximal length without eos
};

}  // namespace attnlab::decoding
