#include "experiments/page/plot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace attnlab::page {

namespace {

/// log10 of the numbers 1, 2 and 5 times a power of ten within an axis; of the powers alone where that is many.
std::vector<double> exponents(double low, double high) {
  std::vector<double> values;
  for (double power = std::floor(low); power <= high; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double exponent = power + std::log10(factor);
      if (exponent >= low && exponent <= high && (factor == 1 || high - low < 3)) values.push_back(exponent);
    }
  }
  return values;
}

std::string power_text(double exponent) {
  return fmt::format("{:.3g}", std::pow(10, exponent));
}

}  // namespace

void Range::add(double value) {
  low = empty ? value : std::min(low, value);
  high = empty ? value : std::max(high, value);
  empty = false;
}

Range Range::widened(double share) const {
  const double more = high > low ? share * (high - low) : 1;
  return {low - more, high + more, false};
}

double Plot::x_of(double value) const {
  const double span = x.high - x.low;
  return left + (right - left) * (span > 0 ? std::clamp((value - x.low) / span, 0.0, 1.0) : 0.5);
}

double Plot::y_of(double value) const {
  const double span = y.high - y.low;
  return bottom - (bottom - top) * (span > 0 ? std::clamp((value - y.low) / span, 0.0, 1.0) : 0.5);
}

double widest(const std::vector<std::string>& texts, double size) {
  double width = 0;
  for (const auto& text : texts) width = std::max(width, text_width(text, size));
  return width;
}

std::string tick_text(double value) {
  std::string text = fmt::format("{:.6g}", value + 0.0);
  if (text[0] == '-') text.replace(0, 1, "−");
  return text;
}

void draw_y_axis(Svg& svg, const Plot& plot, const std::string& label, Scale scale) {
  const auto draw = [&](double value, const std::string& text) {
    svg.line(plot.left, plot.y_of(value), plot.right, plot.y_of(value), kRule);
    svg.text(plot.left - 8, plot.y_of(value) + 4, text, {kSoft, 11, "end"});
  };
  if (scale == Scale::linear) {
    for (const double value : ticks(plot.y.low, plot.y.high)) draw(value, tick_text(value));
  } else {
    for (const double exponent : exponents(plot.y.low, plot.y.high)) draw(exponent, power_text(exponent));
  }
  if (!label.empty()) svg.upright_text(16, (plot.top + plot.bottom) / 2, label, {kSoft, 11.5, "middle"});
}

void draw_x_axis(Svg& svg, const Plot& plot, const std::string& label, bool lines) {
  if (!lines) svg.line(plot.left, plot.bottom, plot.right, plot.bottom, kSoft);
  for (const double value : ticks(plot.x.low, plot.x.high)) {
    if (lines) svg.line(plot.x_of(value), plot.top, plot.x_of(value), plot.bottom, kRule);
    svg.text(plot.x_of(value), plot.bottom + 17, tick_text(value), {kSoft, 11, "middle"});
  }
  if (!label.empty()) svg.text((plot.left + plot.right) / 2, plot.bottom + 36, label, {kSoft, 11.5, "middle"});
}

}  // namespace attnlab::page
