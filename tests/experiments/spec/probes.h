#pragma once
/// Values to try on every key of the table.

#include <vector>

#include "experiments/spec/assign.h"
#include "experiments/spec/describe.h"

namespace attnlab::spec::probes {

/// Stores `value` under a dotted path ("" = everything), as the reader does.
inline void set(RunConfig& config, const std::string& path, const Json& value) {
  apply(describe(config), path, value, Place("probe"));
}

/// A value that the field allows and does not have.
struct OtherValue {
  const Field& field;

  Json operator()(const int64_t* member) const { return *member + 1; }
  Json operator()(const double* member) const {
    if (field.above.value_or(0) >= 1) return *member + 1;
    return *member == 0.99 ? 0.985 : 0.99;
  }
  Json operator()(const bool* member) const { return !*member; }
  Json operator()(const std::string* member) const {
    for (const Choice& choice : field.choices) {
      if (choice.name != *member) return choice.name;
    }
    return field.path == "training.device" ? "cpu" : "other";
  }
  Json operator()(const std::vector<std::string>*) const {
    return Json::array({field.choices.empty() ? "other" : field.choices.back().name});
  }
};

inline Json other_value(const Field& field) {
  return std::visit(OtherValue{field}, field.member);
}

/// Values of every kind, to compare who accepts which.
inline std::vector<Json> everything() {
  return parse_json(R"([null, true, false, 0, 1, -1, 2, 8.0, 0.5, 1.5, 0.999, -0.5, 1000001, 1e13, 1e30,
    9223372036854775807, 9223372036854775808, "", "8", "post", "pre", "copy", "cpu", "cuda:3", "cuda:", "cuda:1234", "cuda:x", "cuda:10", "a/b", "x y", "none", "learned",
    [], ["bleu"], ["bleu", "bleu"], ["bleu", "ter"], [""], [1], {}, {"type": "none"}, {"type": 1}, {"typ": "none"}, {"attention": 0.5},
    {"heads": 4, "layers": 3}, {"dropout": 0.5, "positions": {"max_length": 3}}, {"dropout": {"residual": 1}}])",
                    "probes")
      .get<std::vector<Json>>();
}

}  // namespace attnlab::spec::probes
