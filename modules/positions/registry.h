#pragma once
/// All position methods by name. No torch here, so that a spec can be read and checked without it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "modules/options.h"

namespace attnlab::modules {

class Positions;

/// What a method does and needs.
struct PositionTraits {
  bool bounded = false;          ///< has a table of `max_length` rows, so `max_length` and `beyond` have an effect
  bool even_width = false;       ///< D must be even
  bool even_d_k = false;         ///< d_k must be even
  bool rotates = false;          ///< turns queries and keys
  bool bias = false;             ///< adds to the attention scores: the kernel must take a bias
  bool value_term = false;       ///< adds to the heads' output: the kernel must give its weights
  bool divides_width = false;    ///< `sinusoidal_width` has an effect
  bool limits_distance = false;  ///< `max_distance` has an effect
  bool has_buckets = false;      ///< `buckets` has an effect
  std::vector<std::string> layouts =
      {};  ///< values of `layout` that it takes; empty: `layout` and `base` have no effect

  bool acts_in_attention() const { return rotates || bias || value_term; }
};

/// One position method.
struct PositionVariant {
  std::string name;         ///< value of `positions.type`
  std::string description;  ///< one line for a person
  std::string paper;        ///< where it comes from; empty: no single one
  PositionTraits traits;
  std::shared_ptr<Positions> (*make)(const PositionOptions& options, const TransformerOptions& model, Stack stack);
  /// How many parameters it has, by arithmetic; null = none.
  int64_t (*parameters)(const PositionOptions& options, const TransformerOptions& model, Stack stack) = nullptr;
  /// What else it cannot work with, as sentences that begin with a key below `positions`; null = nothing. The sizes of
  /// `model` are already checked.
  std::vector<std::string> (*problems)(const PositionOptions& options, const TransformerOptions& model,
                                       Stack stack) = nullptr;
};

/// Every method, in the order in which they are shown.
const std::vector<PositionVariant>& position_variants();

/// The method of that name, or null.
const PositionVariant* find_positions(const std::string& name);

}  // namespace attnlab::modules
