#pragma once
/// The command `sacrebleu-cpp` as a function, for its own main and for programs that offer it as a subcommand.

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "sacrebleu/corpus_sums.h"
#include "sacrebleu/tokenizers/tokenizer.h"

namespace sacrebleu {

/// Everything outside that the command touches, besides files.
struct CommandStreams {
  std::istream& in;
  std::ostream& out;
  std::ostream& error;
  /// Whether `out` is a terminal and may get colours.
  bool terminal = false;
  /// The value of an environment variable. Read: SACREBLEU, SACREBLEU_FORMAT, SACREBLEU_SEED, NO_COLOR, HOME, and
  /// NPY_PROMOTION_STATE (NumPy's own: "legacy" selects NumPy 1 rules).
  std::function<std::optional<std::string>(const std::string&)> environment;
  /// Makes tokenizers that need a model; see tokenizers/external.h.
  TokenizerFactory tokenizers;
};

/// Runs the command with the words behind its name, `program` being the name that its messages show. Returns the
/// original's exit code: 0, 1 (usage, lengths, anything that is a traceback in the original), 2 (command line), 17
/// (number of fields). A single system without statistical tests is scored in blocks of `block_lines` lines while it is
/// read, so memory does not grow with the corpus; results do not depend on it.
int run_command(const std::string& program, const std::vector<std::string>& words, const CommandStreams& streams,
                std::size_t block_lines = kBlockLines);

/// The same from main's arguments, program being the last part of argv[0].
int run_command(int argc, const char* const* argv, const CommandStreams& streams);

/// The process's own environment, for CommandStreams.
std::optional<std::string> process_environment(const std::string& name);

}  // namespace sacrebleu
