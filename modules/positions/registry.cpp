#include "modules/positions/registry.h"

#include "modules/positions/alibi.h"
#include "modules/positions/hybrid.h"
#include "modules/positions/learned.h"
#include "modules/positions/none.h"
#include "modules/positions/rotary.h"
#include "modules/positions/shaw.h"
#include "modules/positions/sinusoidal.h"
#include "modules/positions/t5.h"
#include "modules/positions/transformer_xl.h"

namespace attnlab::modules {

const std::vector<PositionVariant>& position_variants() {
  static const std::vector<PositionVariant> variants = {
      {"sinusoidal",
       "sinusoids, added to the embeddings; `layout` says how sines and cosines are arranged",
       "Vaswani et al. 2017",
       {.even_width = true, .layouts = sinusoid_layouts()},
       make_sinusoidal},
      {"learned",
       "a learned vector for each position up to max_length",
       "Vaswani et al. 2017, Table 3, row E",
       {.bounded = true},
       make_learned,
       learned_size},
      {"hybrid",
       "sinusoids in the first sinusoidal_width elements, learned numbers up to max_length in the rest",
       "",
       {.bounded = true, .divides_width = true, .layouts = sinusoid_layouts()},
       make_hybrid,
       hybrid_size,
       hybrid_problems},
      {"shaw",
       "learned vectors for distances up to max_distance, added to keys and values",
       "Shaw et al. 2018",
       {.bias = true, .value_term = true, .limits_distance = true},
       make_shaw,
       shaw_size},
      {"transformer_xl",
       "projected sinusoids of the distance and two learned biases in the scores",
       "Dai et al. 2019",
       {.even_width = true, .bias = true, .layouts = sinusoid_layouts()},
       make_transformer_xl,
       transformer_xl_size},
      {"t5",
       "a learned number for each head and bucket of distances, added to the scores",
       "Raffel et al. 2020",
       {.bias = true, .limits_distance = true, .has_buckets = true},
       make_t5,
       t5_size,
       t5_problems},
      {"alibi",
       "scores fall with the distance, at a fixed rate for each head",
       "ALiBi, Press et al. 2022",
       {.bias = true},
       make_alibi},
      {"rotary",
       "queries and keys are turned by an angle that grows with the position",
       "RoPE, Su et al. 2021",
       {.even_d_k = true, .rotates = true, .layouts = rotary_layouts()},
       make_rotary},
      {"none", "no positions: without them the encoder sees a bag of words", "", {}, make_no_positions},
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
