// The program sacrebleu-cpp.

#include <csignal>
#include <iostream>

#include <unistd.h>

#include "sacrebleu/command/command.h"
#include "sacrebleu/tokenizers/external.h"

int main(int argc, char* argv[]) {
  std::signal(SIGXFSZ, SIG_IGN);  // as Python does: a file that may not grow is output that was lost
  std::ios::sync_with_stdio(false);
  const sacrebleu::CommandStreams streams{std::cin,
                                          std::cout,
                                          std::cerr,
                                          isatty(STDOUT_FILENO) != 0,
                                          sacrebleu::process_environment,
                                          sacrebleu::external_tokenizers(sacrebleu::process_environment)};
  const int code = sacrebleu::run_command(argc, argv, streams);
  std::cout.flush();
  if (std::cout) return code;
  std::cerr << "sacreBLEU: cannot write to the standard output: the disk is full or the reader is gone\n";
  return code == 0 ? 120 : code;  // Python's exit code for output that was lost
}
