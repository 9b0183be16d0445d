// attnlab spec schema | reference | resolve: the spec's own documents.

#include <fmt/format.h>

#include "app/checked_option.h"
#include "app/verbs.h"
#include "experiments/spec/read.h"
#include "experiments/spec/reference.h"
#include "experiments/spec/schema.h"
#include "experiments/spec/write.h"

namespace attnlab::app {

void add_spec(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string config;
    spec::Overrides overrides;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand("spec", "The JSON schema and the reference of all keys");
  verb->require_subcommand(1);
  verb->add_subcommand("schema", "JSON schema (draft-07) for editors")->callback([&exit_code] {
    fmt::print("{}", spec::schema());
    exit_code = done;
  });
  verb->add_subcommand("reference", "Every key with type, default and meaning, as Markdown")->callback([&exit_code] {
    fmt::print("{}", spec::reference());
    exit_code = done;
  });
  CLI::App* resolve = verb->add_subcommand("resolve", "One run's configuration with every default filled in");
  resolve->add_option("config", a->config, "JSON file of one run")->check(not_empty())->required();
  resolve->add_option("--set", a->overrides.set, "key=value; may be repeated")->type_name("KEY=VALUE");
  resolve->callback([a, &exit_code] {
    fmt::print("{}\n", spec::to_json(spec::read_run_config(a->config, a->overrides)).dump(2));
    exit_code = done;
  });
}

}  // namespace attnlab::app
