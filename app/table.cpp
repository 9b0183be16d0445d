// attnlab table DIR: the results of a sweep so far.

#include "experiments/results/table.h"

#include <fmt/format.h>

#include "app/checked_option.h"
#include "app/verbs.h"

namespace attnlab::app {

void add_table(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string out, format = "md";
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand("table", "The table of a sweep, as far as its runs are done");
  verb->add_option("dir", a->out, "the sweep's --out folder")->check(not_empty())->required();
  verb->add_option("--format", a->format, "md, csv, json or latex")
      ->check(CLI::IsMember({"md", "csv", "json", "latex"}))
      ->capture_default_str();
  verb->callback([a, &exit_code] {
    fmt::print("{}", results::render_table(a->out, results::parse_format(a->format)));
    exit_code = done;
  });
}

}  // namespace attnlab::app
