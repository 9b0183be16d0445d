#pragma once
/// The generators of data: corpora that need no download. One file a generator, one line in registry.cpp, and its name
/// with its description in experiments/spec/generators.cpp.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/data/corpus.h"
#include "experiments/data/random.h"

namespace attnlab::data {

/// One generated pair.
struct Sentence {
  std::string source, target;
  Gold gold;
};

/// Draws one pair. It may come up with the same pair again: the caller keeps only new ones.
using Draw = Sentence (*)(const spec::DataConfig& config, SplitName split, Random& random);

struct Generator {
  std::string_view name;  ///< of spec::generator_variants(), which says what it is
  Draw draw;
  /// How many pairs there can be of which no two have the same source or the same target, at least (a double: it may be
  /// astronomical). Throws attnlab::Error for settings that make no sense.
  double (*space)(const spec::DataConfig& config);
  /// Pairs with which the test set begins, whatever the seed (none for most).
  std::vector<Sentence> (*always_tested)();
};

/// All of them, in the order in which they are listed.
const std::vector<Generator>& generators();

/// The named one. Throws attnlab::Error with the known names.
const Generator& find_generator(std::string_view name);

/// The three splits, without `content_hash`. No source and no target sentence is in two of them, nor twice in one. The
/// same config always gives the same text. Throws attnlab::Error if there are not enough different sentences.
Corpus generate(const spec::DataConfig& config);

}  // namespace attnlab::data
