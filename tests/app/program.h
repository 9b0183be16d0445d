#pragma once
/// Runs the built program in a folder of its own, as a person at a shell does.

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>

#include "support/error.h"
#include "support/files.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::tests {

/// What a command printed and how it ended; 128 + the signal where one ended it, as shells have it.
struct Outcome {
  int exit_code = -1;
  std::string out, err;
};

/// A folder in which commands run, with a cache of its own and one thread.
class Shell {
 public:
  /// Runs a command of /bin/sh in which `$A` is the program. The command may redirect; what is left of stdout and
  /// stderr comes back.
  Outcome operator()(const std::string& command) const {
    const std::string line = "cd '" + folder_.path().string() +
                             "' && export A='" ATTNLAB_PROGRAM "' OMP_NUM_THREADS=1 ATTNLAB_CACHE=cache && { " +
                             command + "\n} </dev/null >.out 2>.err";
    const int status = std::system(line.c_str());
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(".out"), content(".err")};
    return outcome;
  }

  const std::filesystem::path& path() const { return folder_.path(); }
  bool has(const std::string& name) const {
    return std::filesystem::exists(std::filesystem::symlink_status(path() / name));
  }
  void write(const std::string& name, std::string_view text) const { folder_.write(name, text); }

  /// The content of a file, "" for one that is empty or missing.
  std::string content(const std::string& name) const {
    try {
      return read_file(path() / name, name);
    } catch (const Error&) {
      return "";
    }
  }

  /// `config.json`: a copy task that trains in a blink.
  void write_config(const std::string& data =
                        R"({"generator": "copy", "train_pairs": 60, "valid_pairs": 4, "test_pairs": 4})") const {
    write("config.json", R"({"data": )" + data + R"(, "tokenizer": {"type": "char", "vocab_size": 100},
      "model": {"d_model": 8, "heads": 1, "d_ff": 8, "layers": 1},
      "training": {"steps": 2, "batch_tokens": 100, "device": "cpu"},
      "decoding": {"beam": 2, "max_length_extra": 3}})");
  }

 private:
  TemporaryFolder folder_;
};

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Whether a refusal is what a person can read: one exit code, one line, and no text of a library's exception.
inline bool is_plain_refusal(const Outcome& outcome) {
  const std::string& text = outcome.err;
  for (const char* raw :
       {"internal error", "exception", "terminate", "stoi", "basic_string", "type_error", "backtrace"})
    if (text.find(raw) != std::string::npos) return false;
  return (outcome.exit_code == 1 || outcome.exit_code == 2) && text.starts_with("attnlab: ") &&
         text.find('\n') == text.size() - 1;
}

}  // namespace attnlab::tests
