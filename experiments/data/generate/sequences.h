#pragma once
/// What copy, reverse and sort share: sequences of numbers as text.

#include <vector>

#include "experiments/data/generate/registry.h"

namespace attnlab::data {

/// A sequence of numbers in [1, config.symbols], its length uniform in [config.min_length, config.max_length].
std::vector<int64_t> draw_sequence(const spec::DataConfig& config, Random& random);

/// How many sequences there are. Throws attnlab::Error for settings outside: symbols 1 to 100000, lengths 1 to 10000,
/// shortest not above longest.
double count_sequences(const spec::DataConfig& config);

/// How many different sorted sequences there are. Throws as `count_sequences` does.
double count_multisets(const spec::DataConfig& config);

/// The pair whose target word i is source word order[i], with its alignment.
Sentence apply_order(const std::vector<int64_t>& numbers, const std::vector<int>& order);

/// No sentence needs to be in the test set.
std::vector<Sentence> none_always_tested();

}  // namespace attnlab::data
