// attnlab report DIR: the page of a sweep, and its pictures.

#include <filesystem>

#include <fmt/format.h>

#include "app/checked_option.h"
#include "app/run_sweep.h"
#include "app/verbs.h"
#include "experiments/results/table.h"
#include "experiments/results/tensorboard.h"
#include "support/shell.h"

namespace attnlab::app {

namespace {

struct ReportArguments {
  std::string out;
  results::ReportOptions options;
  bool no_sentence_tests = false, tensorboard = false;
};

int report(ReportArguments& arguments) {
  arguments.options.sentence_tests = !arguments.no_sentence_tests;
  results::write_results(arguments.out);
  const auto page = write_page(arguments.out, arguments.options);
  fmt::print("{}\n", page.string());
  if (arguments.tensorboard) {
    const auto folder = std::filesystem::path(arguments.out) / "tensorboard";
    const size_t runs = results::export_tensorboard(arguments.out, folder);
    fmt::print("{} ({} runs; tensorboard --logdir {})\n", folder.string(), runs, shell_path(folder));
  }
  return done;
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<ReportArguments>();
  CLI::App* verb = app.add_subcommand(
      "report", "Write the page of a sweep, report.html, with its tables and pictures, as far as its runs are done");
  verb->add_option("dir", a->out, "the sweep's --out folder")->check(not_empty())->required();
  verb->add_flag("--no-sentence-tests", a->no_sentence_tests,
                 "leave out the paired tests over the sentences of the translations");
  verb->add_flag("--tensorboard", a->tensorboard, "also write logs and scores for TensorBoard, to DIR/tensorboard");
  verb->add_option("-j,--threads", a->options.threads, "threads of the sentence tests; they change the time only")
      ->transform(thread_count())
      ->capture_default_str();
  verb->callback([a, &exit_code] { exit_code = report(*a); });
}

}  // namespace attnlab::app
