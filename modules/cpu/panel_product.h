#pragma once
/// Products of a few rows with a matrix that was arranged for them: W [columns, inner] in panels of as many columns as
/// the processor's registers hold, each [inner, panel] and as long as all others (the last one ends in zeros). No torch
/// here.

#include <cstdint>

namespace attnlab::modules::cpu {

/// Columns of a panel; 0 where another way of multiplying is faster (no AVX2).
int64_t panel_width();

/// y = x W^T + b, or the positive part of that.
struct PanelProduct {
  int64_t rows, columns, inner;
  const float* x;       ///< [rows, inner]
  const float* panels;  ///< of all columns
  const float* bias;    ///< [columns] or null
  bool relu;
  float* y;  ///< [rows, columns]
};

/// The columns of the panels first ... last - 1. Each row's numbers do not depend on how many rows there are.
void multiply_panels(const PanelProduct& product, int64_t first, int64_t last);

}  // namespace attnlab::modules::cpu
