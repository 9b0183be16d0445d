// Where the program cannot write: full and closed outputs, files in the way.

#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

TEST_CASE("a full standard output is an error, not a short answer") {
  const Shell shell;
  for (const char* command : {"$A spec schema >/dev/full", "$A list >/dev/full", "$A --help >/dev/full"}) {
    const Outcome outcome = shell(command);
    INFO(command << "\n" << outcome.err);
    CHECK(is_plain_refusal(outcome));
  }
}

TEST_CASE("a closed standard output takes no file's place") {
  const Shell shell;
  shell.write_config();
  CHECK(shell("$A train config.json --out closed -q").exit_code == 0);
  CHECK(shell("$A train config.json --out open >&- 2>&-").exit_code == 0);
  CHECK(shell.content("closed/checkpoints/last.safetensors") == shell.content("open/checkpoints/last.safetensors"));
}

TEST_CASE("a file where a folder should be is named") {
  const Shell shell;
  shell.write_config();
  shell.write("file", "text\n");
  for (const char* command :
       {"$A train config.json --out file", "$A train config.json --out file/below", "$A data copy --out file",
        "echo '{\"base\": \"config.json\"}' >spec.json; $A run spec.json --out file"}) {
    const Outcome outcome = shell(command);
    INFO(command << "\n" << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(is_plain_refusal(outcome));
    CHECK(mentions(outcome.err, "'file' is a file"));
  }
  CHECK(shell.content("file") == "text\n");
}

}  // namespace
}  // namespace attnlab::tests
