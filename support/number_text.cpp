#include "support/number_text.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace attnlab {

std::string number_text(double value, int decimals) {
  constexpr double kMillion = 1e6;
  return std::abs(value) < kMillion ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.2e}", value);
}

Json json_number(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json finite_or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

double number_from_json(const Json& value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return kInfinity;
  if (value == "-inf") return -kInfinity;
  return value.get<double>();
}

}  // namespace attnlab
