#include "modules/positions/registry.h"

#include "modules/positions/learned.h"
#include "modules/positions/none.h"
#include "modules/positions/sinusoidal.h"

namespace attnlab::modules {

namespace {

int64_t table_size(const PositionOptions& options, const TransformerOptions& model) {
  return options.max_length * model.d_model;
}

}  // namespace

const std::vector<PositionVariant>& position_variants() {
  static const std::vector<PositionVariant> variants = {
      {"sinusoidal",
       "the paper's sinusoids, sines and cosines interleaved, added to the embeddings",
       {.even_width = true},
       make_sinusoidal,
       nullptr},
      {"learned",
       "a learned vector for each position up to max_length (Table 3, row E)",
       {.bounded = true},
       make_learned,
       table_size},
      {"none", "no positions: without them the encoder sees a bag of words", {}, make_no_positions, nullptr},
  };
  return variants;
}

const PositionVariant* find_positions(const std::string& name) {
  for (const auto& variant : position_variants()) {
    if (variant.name == name) {
      return &variant;
    }
  }
  return nullptr;
}

}  // namespace attnlab::modules
