// attnlab train CONFIG --out DIR: one run, what `attnlab run` starts for each cell and seed.

#include <filesystem>

#include <fmt/format.h>

#include "app/cache_folder.h"
#include "app/checked_option.h"
#include "app/say.h"
#include "app/stop_signal.h"
#include "app/terminal.h"
#include "app/verbs.h"
#include "experiments/run/run_experiment.h"
#include "experiments/spec/read.h"
#include "support/output.h"

namespace attnlab::app {

namespace {

struct TrainArguments {
  std::string config, out, cache = default_cache();
  std::vector<std::string> set;
  int threads = 0;
  bool quiet = false;
};

int exit_code_of(const run_folder::RunRecord& record) {
  switch (record.status) {
    case run_folder::Status::completed:
      return done;
    case run_folder::Status::interrupted:
      return interrupted;
    default:
      return some_failed;
  }
}

int train(const TrainArguments& arguments) {
  if (!arguments.set.empty())  // else a config.json there is the one that is read, and stays
    require_no_input(std::filesystem::path(arguments.out) / "config.json", {arguments.config});
  count_stop_signals(/*most=*/2, "\nattnlab: stopping after this step; once more ends it at once\n");
  RunProgress progress(arguments.quiet);
  const spec::RunConfig config = spec::read_run_config(arguments.config, {arguments.set, {}});
  require_cache(arguments.cache);
  const auto record = run::run_experiment(config, {arguments.out, arguments.cache, arguments.threads}, progress);
  if (!record.error.empty()) say("attnlab: {}: {}\n", to_string(record.status), record.error);
  if (!arguments.quiet) {
    for (const auto& [name, value] : record.metrics) fmt::print("{:24} {:.6g}\n", name, value);
    fmt::print("{:24} {}\n{:24} {}\n", "status", to_string(record.status), "folder", arguments.out);
  }
  return exit_code_of(record);
}

}  // namespace

void add_train(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* verb = app.add_subcommand("train", "Train, or continue, one run from its configuration");
  verb->add_option("config", arguments->config, "JSON file of one run (the keys of a spec's `base`)")
      ->check(not_empty())
      ->required();
  verb->add_option("--out", arguments->out, "folder of the run")->check(not_empty())->required();
  verb->add_option("--set", arguments->set, "key=value: set a key, beats the file; may be repeated")
      ->type_name("KEY=VALUE");
  verb->add_option("--threads", arguments->threads,
                   "threads (default: the machine's); a run keeps those of its first start")
      ->transform(thread_count());
  add_cache_option(*verb, arguments->cache);
  verb->add_flag("-q,--quiet", arguments->quiet, "only warnings and errors");
  verb->callback([arguments, &exit_code] { exit_code = train(*arguments); });
}

}  // namespace attnlab::app
