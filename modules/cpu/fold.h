#pragma once
/// Sums and other folds of a row's numbers, in an order that is the same for every vector width.

#include <cstdint>

#include "modules/cpu/multiversion.h"

namespace attnlab::modules::cpu {

constexpr int fold_lanes = 16;  ///< running results side by side

/// The sum or another fold of term(0) ... term(count - 1); `start` is the fold's neutral number.
template <class Number, class Term, class Fold>
ATTNLAB_INLINE Number folded(int64_t count, Number start, const Term& term, const Fold& fold) {
  Number lane[fold_lanes];
  for (int l = 0; l < fold_lanes; ++l) {
    lane[l] = start;
  }
  int64_t j = 0;
  for (; j + fold_lanes <= count; j += fold_lanes) {
    for (int l = 0; l < fold_lanes; ++l) {
      lane[l] = fold(lane[l], term(j + l));
    }
  }
  for (int l = 0; j + l < count; ++l) {
    lane[l] = fold(lane[l], term(j + l));
  }
  for (int half = fold_lanes / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; ++l) {
      lane[l] = fold(lane[l], lane[l + half]);
    }
  }
  return lane[0];
}

}  // namespace attnlab::modules::cpu
