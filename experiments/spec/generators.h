#pragma once
/// The names of the generators of data, which stand in experiments/data/generate.

#include <string>
#include <vector>

namespace attnlab::spec {

/// One generator.
struct GeneratorVariant {
  std::string name;         ///< value of `data.generator`
  std::string description;  ///< one line for a person
  bool has_symbols =
      true;  ///< its sentences are sequences of symbols: data.symbols, min_length, max_length have an effect
};

/// Every generator, in the order in which they are shown.
const std::vector<GeneratorVariant>& generator_variants();

/// Whether `generator` is one that draws sequences of symbols; false for "", which stands for files.
bool has_symbols(const std::string& generator);

}  // namespace attnlab::spec
