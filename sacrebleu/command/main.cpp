// The program sacrebleu-cpp.

#include <iostream>

#include <unistd.h>

#include "sacrebleu/command/command.h"
#include "sacrebleu/tokenizers/external.h"

int main(int argc, char* argv[]) {
  std::ios::sync_with_stdio(false);
  const sacrebleu::CommandStreams streams{std::cin,
                                          std::cout,
                                          std::cerr,
                                          isatty(STDOUT_FILENO) != 0,
                                          sacrebleu::process_environment,
                                          sacrebleu::external_tokenizers(sacrebleu::process_environment)};
  return sacrebleu::run_command(argc, argv, streams);
}
