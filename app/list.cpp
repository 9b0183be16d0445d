// attnlab list: every variant that a spec can name, with a line of explanation.

#include <fmt/format.h>

#include "app/verbs.h"
#include "experiments/spec/variants.h"
#include "support/error.h"

namespace attnlab::app {

namespace {

int list(const std::string& only) {
  bool found = false;
  for (const auto& group : spec::choice_groups()) {
    if (!only.empty() && group.path.find(only) == std::string::npos) continue;
    found = true;
    fmt::print("{}\n", group.path);
    for (const auto& choice : group.choices) fmt::print("  {:<16} {}\n", choice.name, choice.meaning);
    fmt::print("\n");
  }
  if (!found) {
    std::string keys;
    for (const auto& group : spec::choice_groups()) keys += "\n  " + group.path;
    throw Error("nothing is chosen by name under '" + only + "'; these are:" + keys);
  }
  return done;
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  auto only = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("list", "Every variant that a spec can name, with a line of explanation");
  verb->add_option("key", *only, "only keys that contain this, e.g. positions");
  verb->callback([only, &exit_code] { exit_code = list(*only); });
}

}  // namespace attnlab::app
