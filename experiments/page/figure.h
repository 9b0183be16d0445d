#pragma once
/// Pictures that several parts draw: curves, heat maps and maps of outcomes.

#include <string>
#include <utility>
#include <vector>

#include "experiments/page/svg.h"

namespace attnlab::page {

/// One curve. Points that are not finite are left out.
struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

/// Curves over one axis.
struct Chart {
  std::string title, x_label, y_label;
  bool logarithmic = false;  ///< the y axis; points that are not positive are left out
  std::vector<Series> series;
};
Svg draw_chart(const Chart& chart);

/// A matrix of values in [-1, 1], row by row from the top: blue above 0, orange below.
struct HeatMap {
  std::string title, x_label, y_label;
  std::vector<std::vector<double>> rows;
};
Svg draw_heat_map(const HeatMap& map);

/// Blocks of fields, each with the same rows and columns.
struct OutcomeMap {
  std::string title, row_label, column_label;
  std::vector<std::string> row_names, column_names;
  struct Field {
    std::string text, hint;  ///< what stands in the field, and what is shown when a pointer rests on it
    /// Of runs that are well, in [0, 1]: 1 is a full blue, 0 a full orange; NaN, grey: nothing is known.
    double share = 0;
  };
  struct Block {
    std::string name;
    std::vector<std::vector<Field>> rows;
  };
  std::vector<Block> blocks;
};
Svg draw_outcomes(const OutcomeMap& map);

}  // namespace attnlab::page
