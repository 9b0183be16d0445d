// attnlab export tensorboard DIR: a sweep for other programs.

#include <filesystem>

#include <fmt/format.h>

#include "app/checked_option.h"
#include "app/verbs.h"
#include "experiments/results/tensorboard.h"
#include "support/shell.h"

namespace attnlab::app {

void add_export(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string out, to;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand("export", "Write a sweep for other programs");
  verb->require_subcommand(1);
  CLI::App* tensorboard =
      verb->add_subcommand("tensorboard", "Logs and scores of all runs as event files for TensorBoard");
  tensorboard->add_option("dir", a->out, "the sweep's --out folder")->check(not_empty())->required();
  tensorboard->add_option("--to", a->to, "folder of the event files (default: DIR/tensorboard)")->check(not_empty());
  tensorboard->callback([a, &exit_code] {
    const std::filesystem::path folder =
        a->to.empty() ? std::filesystem::path(a->out) / "tensorboard" : std::filesystem::path(a->to);
    const size_t runs = results::export_tensorboard(a->out, folder);
    fmt::print("{} runs: tensorboard --logdir {}\n", runs, shell_path(folder));
    exit_code = done;
  });
}

}  // namespace attnlab::app
