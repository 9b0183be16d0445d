// attnlab status DIR: where the runs of a sweep stand.

#include "experiments/sweep/status.h"

#include <cstdlib>

#include <fmt/format.h>

#include "app/checked_option.h"
#include "app/terminal.h"
#include "app/verbs.h"
#include "experiments/sweep/progress.h"

namespace attnlab::app {

void add_status(CLI::App& app, int& exit_code) {
  auto out = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("status", "Where the runs of a sweep stand");
  verb->add_option("dir", *out, "the sweep's --out folder")->check(not_empty())->required();
  verb->callback([out, &exit_code] {
    fmt::print("{}", sweep::render_status(sweep::collect_status(*out), terminal_style(stdout)));
    exit_code = done;
  });
}

}  // namespace attnlab::app
