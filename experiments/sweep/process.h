#pragma once
/// Child processes for the sweep: started with an environment and a log of their own, watched without blocking. POSIX.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace attnlab::sweep {

/// What to start, and how.
struct Command {
  std::vector<std::string> arguments;  ///< the program (looked up in PATH if it has no slash), then its arguments
  std::vector<std::pair<std::string, std::string>> environment;  ///< set on top of the parent's
  std::filesystem::path log;  ///< standard output and error are appended to this file; standard input is empty
  int inherited = -1;         ///< a file descriptor that the child keeps open until it ends (a lock); -1: none
};

/// How a process ended: exactly one of the two is there.
struct ExitStatus {
  std::optional<int> exit_code, signal;
};

/// One running or ended child. It has a process group of its own, so that a Ctrl-C in the terminal reaches it only
/// through its parent, and it is asked to end (SIGTERM) when the parent dies.
class Process {
 public:
  /// Starts it. Throws attnlab::Error if the program cannot be executed or the log cannot be opened.
  explicit Process(const Command& command);

  /// Kills the whole group if it still runs.
  ~Process();

  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;

  /// How it ended; nothing while it runs. Never waits.
  std::optional<ExitStatus> poll();

  /// Sends a signal to its process group; nothing if it has ended.
  void send(int signal);

  pid_t id() const { return id_; }

 private:
  pid_t id_ = -1;
  std::optional<ExitStatus> exit_status_;
};

/// "SIGSEGV (invalid memory access)" and so on, for a person.
std::string describe_signal(int signal);

}  // namespace attnlab::sweep
