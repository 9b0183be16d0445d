#pragma once
/// A frame with linear axes inside a picture.

#include <string>
#include <vector>

#include "experiments/page/svg.h"

namespace attnlab::page {

/// Values that an axis must show.
struct Range {
  double low = 0, high = 0;
  bool empty = true;

  void add(double value);
  /// Widened to both sides by a share of its width, or by 1 around a single value.
  Range widened(double share) const;
};

/// Where values stand. `left` to `right` and `top` to `bottom` are pixels.
struct Plot {
  double left = 0, top = 0, right = 0, bottom = 0;
  Range x, y;

  double x_of(double value) const;
  double y_of(double value) const;  ///< upwards; values beyond the axis stand at its edge
};

/// The width of the widest of some texts, in pixels.
double widest(const std::vector<std::string>& texts, double size);

/// A number for an axis: up to six digits, without trailing zeros.
std::string tick_text(double value);

enum class Scale { linear, logarithmic };

/// Horizontal lines with their numbers at the left. On a logarithmic scale the plot's values are exponents of ten.
void draw_y_axis(Svg& svg, const Plot& plot, const std::string& label, Scale scale = Scale::linear);

/// Numbers below, and vertical lines where asked for, else the axis itself.
void draw_x_axis(Svg& svg, const Plot& plot, const std::string& label, bool lines);

}  // namespace attnlab::page
