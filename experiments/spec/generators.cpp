#include "experiments/spec/generators.h"

#include <algorithm>

namespace attnlab::spec {

const std::vector<GeneratorVariant>& generator_variants() {
  static const std::vector<GeneratorVariant> variants = {
      {"copy", "the target is the source"},
      {"reverse", "the target is the source backwards; not solvable without positions"},
      {"sort", "the target is the source sorted"},
      {"pronouns", "English to German, where \"it\" becomes er, sie or es; with gold alignments and antecedents",
       /*has_symbols=*/false},
  };
  return variants;
}

bool has_symbols(const std::string& generator) {
  const auto& all = generator_variants();
  return std::any_of(all.begin(), all.end(),
                     [&](const GeneratorVariant& variant) { return variant.name == generator && variant.has_symbols; });
}

}  // namespace attnlab::spec
