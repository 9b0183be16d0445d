#pragma once
/// What the tests of position methods share.

#include "modules/attention/visible.h"
#include "modules/options.h"
#include "tests/modules/support.h"

namespace attnlab::modules::testing {

/// The options of a case of positions.json.
inline PositionOptions options_of(const nlohmann::json& stored) {
  PositionOptions options;
  const auto& changed = stored.at("options");
  options.type = stored.at("type");
  options.layout = changed.value("layout", options.layout);
  options.base = changed.value("base", options.base);
  options.sinusoidal_width = changed.value("sinusoidal_width", options.sinusoidal_width);
  options.max_distance = changed.value("max_distance", options.max_distance);
  options.buckets = changed.value("buckets", options.buckets);
  return options;
}

}  // namespace attnlab::modules::testing
