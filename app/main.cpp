// attnlab: parses the command line, calls the verb, turns errors into one line.

#include <malloc.h>

#include <cstdio>
#include <exception>
#include <new>

#include "app/verbs.h"
#include "support/error.h"

namespace {

/// glibc returns each large block to the system and maps it again, zeroed, for the next step: half of a small model's training time.
/// Keeping the blocks costs no more memory than the largest step needs anyway.
void keep_large_blocks() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_TOP_PAD, 64 << 20);
}

int run(int argc, char** argv) {
  CLI::App app{"attnlab: find out what each part of the Transformer does.\n"
               "One JSON file names what to vary; `attnlab run` trains, scores and compares.\n"
               "Start with: attnlab run specs/demo.json --out out/demo",
               "attnlab"};
  app.set_version_flag("--version", "attnlab " ATTNLAB_VERSION);
  app.require_subcommand(1);
  app.fallthrough(false);
  int exit_code = attnlab::app::done;
  attnlab::app::add_plan(app, exit_code);
  attnlab::app::add_run(app, exit_code);
  attnlab::app::add_status(app, exit_code);
  attnlab::app::add_table(app, exit_code);
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
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? attnlab::app::done : attnlab::app::usage_error;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  keep_large_blocks();
  try {
    return run(argc, argv);
  } catch (const attnlab::Error& error) {
    std::fprintf(stderr, "attnlab: %s\n", error.what());
    return attnlab::app::usage_error;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "attnlab: out of memory\n");
    return attnlab::app::some_failed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "attnlab: internal error, please report it: %s\n", error.what());
    return attnlab::app::some_failed;
  }
}
