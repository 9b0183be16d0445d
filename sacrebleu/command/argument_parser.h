#pragma once
/// A command line read by the rules of Python's argparse (3.11): abbreviations, -w1, --width=1, lists that end at the
/// next option, exclusive options, and its messages. CLI11 cannot stand in: it has no options like -tok or -pbsn.

#include <map>
#include <string>
#include <vector>

#include "sacrebleu/command/exit.h"

namespace sacrebleu {

enum class ArgumentCount { none, one, any, some };
enum class ArgumentType { text, integer, real };

/// One option, or the positional list when it has no flags.
struct Argument {
  std::vector<std::string> flags;  ///< the long one first, as the usage shows it
  std::string name;                ///< key of the parsed values
  ArgumentCount count = ArgumentCount::none;
  ArgumentType type = ArgumentType::text;
  std::vector<std::string> choices;
  std::string help;
  std::string exclusive;                      ///< options that share a non-empty word here exclude each other
  [[nodiscard]] std::string title() const;    ///< "--metrics/-m"
  [[nodiscard]] std::string metavar() const;  ///< "{bleu,chrf,ter}" or "WIDTH"
  [[nodiscard]] std::string usage() const;    ///< "--input [INPUT ...]"
};

/// The values that were given; an option that was not is absent.
class ParsedArguments {
 public:
  [[nodiscard]] bool has(const std::string& name) const { return values_.contains(name); }
  [[nodiscard]] const std::vector<std::string>& list(const std::string& name) const;
  [[nodiscard]] std::string text(const std::string& name, const std::string& fallback) const;
  [[nodiscard]] int integer(const std::string& name, int fallback) const;
  [[nodiscard]] double real(const std::string& name, double fallback) const;
  void set(const std::string& name, std::vector<std::string> values) { values_[name] = std::move(values); }

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

class ArgumentParser {
 public:
  ArgumentParser(std::string program, std::vector<Argument> arguments)
      : program_(std::move(program)), arguments_(std::move(arguments)) {}

  /// Throws Exit: code 2 with usage and message on the error stream, code 0 for --help and --version.
  [[nodiscard]] ParsedArguments parse(const std::vector<std::string>& words, const std::string& version,
                                      const std::string& description) const;
  [[nodiscard]] std::string usage() const;

 private:
  class Run;
  [[nodiscard]] std::string help(const std::string& description) const;

  std::string program_;
  std::vector<Argument> arguments_;
};

}  // namespace sacrebleu
