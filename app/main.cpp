// attnlab: parses the command line, calls the verb, turns errors into one line.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include "app/verbs.h"
#include "experiments/run/torch_error.h"
#include "experiments/spec/variants.h"
#include "support/error.h"
#include "support/files.h"
#include "support/writing.h"

namespace {

/// glibc returns each large block to the system and maps it again, zeroed, for the next step: half of a small model's
/// training time. Keeping the blocks costs no more memory than the largest step needs anyway.
void keep_large_blocks() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_TOP_PAD, 64 << 20);
}

/// A caller may close these; the next file opened, a checkpoint perhaps, would take their number and what is printed.
/// They are opened the wrong way round, so that using one is as much an error as it was.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const bool closed = ::fcntl(stream, F_GETFD) < 0;
    if (closed) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// A file that grows past a limit (ulimit -f) is then an error like a full disk, not the end of the program.
void ignore_file_size_signal() {
  ::signal(SIGXFSZ, SIG_IGN);
}

/// Thrown where what was printed did not all arrive.
struct OutputLost {
  int error;  ///< errno, 0: not known
};

/// What was printed may still wait in a buffer, and a full disk shows only now.
void flush_output() {
  errno = 0;
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw OutputLost{errno};
}

int fail(int exit_code, const std::string& message) {
  std::fprintf(stderr, "attnlab: %s\n", message.c_str());
  return exit_code;
}

int fail_for_lost_output(int error) {
  return fail(attnlab::app::some_failed,
              "cannot write to the standard output: " +
                  (error != 0 ? attnlab::writing_problem(error) : "the disk is full or the reader is gone"));
}

/// The words of the command line; `help VERB` is `VERB --help`.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + std::max(argc, 1));
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  return words;
}

/// The parser would only say that a verb is missing.
void refuse_unknown_verb(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* level = &app;
  for (const std::string& word : words) {
    if (word.starts_with('-')) return;
    std::vector<std::string> names;
    for (const CLI::App* verb : level->get_subcommands(nullptr)) names.push_back(verb->get_name());
    if (names.empty()) return;
    if (std::find(names.begin(), names.end(), word) == names.end()) {
      const std::string near = attnlab::spec::nearest(word, names);
      std::string all;
      for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
      throw attnlab::Error("there is no '" + word + "' in " + level->get_name() +
                           (near.empty() ? "" : "; did you mean '" + near + "'?") + " (there are: " + all + ")");
    }
    level = level->get_subcommand(word);
  }
}

/// What no verb knows, in the order in which it was typed: the parser complains of something else first, or turns the
/// order round.
void refuse_unknown_options(const CLI::App& app) {
  const std::vector<std::string> unknown = app.remaining(/*recurse=*/true);
  if (unknown.empty()) return;
  const CLI::App* verb = &app;
  std::string called = app.get_name();
  while (!verb->get_subcommands().empty()) {
    verb = verb->get_subcommands().front();
    called += " " + verb->get_name();
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : verb->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string first = unknown.front().substr(0, unknown.front().find('='));
  const std::string near = first.starts_with("--") ? attnlab::spec::nearest(first, known) : "";
  std::string all;
  for (const std::string& word : unknown) all += (all.empty() ? "" : " ") + word;
  throw attnlab::Error(called + " does not know: " + all + (near.empty() ? "" : "; did you mean " + near + "?") + " (" +
                       called + " --help lists what it knows)");
}

int run(int argc, char** argv) {
  CLI::App app{
      "attnlab: find out what each part of the Transformer does.\n"
      "One JSON file names what to vary; `attnlab run` trains, scores and compares.\n"
      "Start with: attnlab run specs/demo.json --out out/demo",
      "attnlab"};
  app.set_version_flag("--version", "attnlab " ATTNLAB_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 all done; 1 a run has no result, or what was printed did not all arrive; 2 words or files that do "
      "not fit; 130 stopped by Ctrl-C.");
  app.fallthrough(false);
  int exit_code = attnlab::app::done;
  attnlab::app::add_plan(app, exit_code);
  attnlab::app::add_run(app, exit_code);
  attnlab::app::add_status(app, exit_code);
  attnlab::app::add_table(app, exit_code);
  attnlab::app::add_report(app, exit_code);
  attnlab::app::add_export(app, exit_code);
  attnlab::app::add_train(app, exit_code);
  attnlab::app::add_translate(app, exit_code);
  attnlab::app::add_likelihood(app, exit_code);
  attnlab::app::add_attend(app, exit_code);
  attnlab::app::add_score(app, exit_code);
  attnlab::app::add_compare(app, exit_code);
  attnlab::app::add_tokenizer(app, exit_code);
  attnlab::app::add_data(app, exit_code);
  attnlab::app::add_bench(app, exit_code);
  attnlab::app::add_list(app, exit_code);
  attnlab::app::add_spec(app, exit_code);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return std::string("attnlab: ") + error.what() + "\nRun with --help for more information.\n";
  });
  std::vector<std::string> words = words_of(argc, argv);
  refuse_unknown_verb(app, words);
  std::reverse(words.begin(), words.end());  // as the parser takes them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) refuse_unknown_options(app);
    exit_code = app.exit(error) == 0 ? attnlab::app::done : attnlab::app::usage_error;
  }
  flush_output();
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  ignore_file_size_signal();
  keep_large_blocks();
  try {
    return run(argc, argv);
  } catch (const OutputLost& lost) {
    return fail_for_lost_output(lost.error);
  } catch (const attnlab::Error& error) {
    return fail(attnlab::app::usage_error, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(attnlab::app::usage_error, attnlab::describe(error));
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return fail_for_lost_output(error.code().value());
    return fail(attnlab::app::some_failed, "the system refused: " + error.code().message());
  } catch (const std::bad_alloc&) {
    return fail(attnlab::app::some_failed, "out of memory; take smaller batches, shorter lines or a smaller model");
  } catch (const c10::Error& error) {
    return fail(attnlab::app::some_failed, attnlab::run::describe(error));
  } catch (const std::exception& error) {
    return fail(attnlab::app::some_failed, std::string("internal error, please report it: ") + error.what());
  }
}
