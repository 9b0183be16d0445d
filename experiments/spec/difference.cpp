#include "experiments/spec/difference.h"

#include <fmt/format.h>

#include "experiments/spec/describe.h"
#include "experiments/spec/write.h"

namespace attnlab::spec {

std::string first_difference(const RunConfig& there, const RunConfig& here) {
  if (to_json(there) == to_json(here)) return "";
  RunConfig copy = here;
  for (const Field& field : describe(copy).fields) {
    const Json old = value_at(there, field.path), now = value_at(here, field.path);
    if (old != now) return fmt::format("{}: {} there, {} here", field.path, old.dump(), now.dump());
  }
  return "";
}

}  // namespace attnlab::spec
