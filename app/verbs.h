#pragma once
/// The verbs of the program, one file each. A verb adds itself to the command line and does its work in a callback
/// whose exit code it stores; main turns errors into one line on stderr.

#include <CLI/CLI.hpp>

namespace attnlab::app {

/// Exit codes of `attnlab`.
enum ExitCode {
  done = 0,           ///< everything that was asked for is there
  some_failed = 1,    ///< a run has no result, or what was printed did not all arrive
  usage_error = 2,    ///< words, files or folders that do not fit
  interrupted = 130,  ///< a person stopped it
};

void add_plan(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_status(CLI::App& app, int& exit_code);
void add_table(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_train(CLI::App& app, int& exit_code);
void add_translate(CLI::App& app, int& exit_code);
void add_likelihood(CLI::App& app, int& exit_code);
void add_attend(CLI::App& app, int& exit_code);
void add_score(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_tokenizer(CLI::App& app, int& exit_code);
void add_data(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_spec(CLI::App& app, int& exit_code);

}  // namespace attnlab::app
