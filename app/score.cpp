// attnlab score: the command `sacrebleu-cpp` with attnlab's exit codes.

#include <iostream>

#include <unistd.h>

#include "app/verbs.h"
#include "sacrebleu/command/command.h"
#include "sacrebleu/tokenizers/external.h"

namespace attnlab::app {

void add_score(CLI::App& app, int& exit_code) {
  CLI::App* verb =
      app.add_subcommand("score", "BLEU, chrF and TER: sacreBLEU's command, with its options (attnlab score -h)");
  verb->set_help_flag();
  verb->prefix_command();
  verb->callback([verb, &exit_code] {
    const sacrebleu::CommandStreams streams{std::cin,
                                            std::cout,
                                            std::cerr,
                                            isatty(STDOUT_FILENO) != 0,
                                            sacrebleu::process_environment,
                                            sacrebleu::external_tokenizers(sacrebleu::process_environment)};
    exit_code = sacrebleu::run_command("attnlab score", verb->remaining(), streams) == 0 ? done : usage_error;
  });
}

}  // namespace attnlab::app
