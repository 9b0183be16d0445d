#include "experiments/sweep/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "support/error.h"

extern char** environ;

namespace attnlab::sweep {
namespace {

/// `NAME=value` lines of the parent with the changes applied.
std::vector<std::string> merged_environment(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> lines;
  for (char** line = environ; *line != nullptr; ++line) {
    const std::string entry = *line;
    bool changed = false;
    for (const auto& [name, value] : changes) changed = changed || entry.rfind(name + "=", 0) == 0;
    if (!changed) lines.push_back(entry);
  }
  for (const auto& [name, value] : changes) lines.push_back(name + "=" + value);
  return lines;
}

/// The null-terminated array that exec takes; it points into `texts`.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// In the child, between fork and exec: only calls that are safe there. Writes errno to `report` if something fails.
[[noreturn]] void become(char** arguments, char** environment, int log, int inherited, int report, pid_t parent) {
  ::setpgid(0, 0);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);
#else
  (void)parent;
#endif
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  if (inherited >= 0) ::fcntl(inherited, F_SETFD, 0);
  environ = environment;
  ::execvp(arguments[0], arguments);
  const int problem = errno;
  if (::write(report, &problem, sizeof problem) < 0) ::_exit(126);
  ::_exit(127);
}

/// Waits until the child has executed its program; gives errno if it could not.
int execution_problem(int report) {
  int problem = 0;
  ssize_t count = -1;
  do {
    count = ::read(report, &problem, sizeof problem);
  } while (count < 0 && errno == EINTR);
  return count == sizeof problem ? problem : 0;
}

}  // namespace

Process::Process(const Command& command) {
  auto arguments = command.arguments;
  auto environment = merged_environment(command.environment);
  const auto argument_pointers = pointers(arguments);
  const auto environment_pointers = pointers(environment);
  const int log = ::open(command.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (log < 0) throw Error(fmt::format("cannot open '{}': {}", command.log.string(), std::strerror(errno)));
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) {
    ::close(log);
    throw Error(fmt::format("cannot start '{}': {}", arguments[0], std::strerror(errno)));
  }
  const pid_t parent = ::getpid();
  id_ = ::fork();
  const int fork_problem = errno;
  if (id_ == 0)
    become(const_cast<char**>(argument_pointers.data()), const_cast<char**>(environment_pointers.data()), log,
           command.inherited, report[1], parent);
  ::close(log);
  ::close(report[1]);
  if (id_ > 0) ::setpgid(id_, id_);  // also here, so that a signal sent at once finds the group
  const int problem = id_ < 0 ? fork_problem : execution_problem(report[0]);
  ::close(report[0]);
  if (problem == 0) return;
  if (id_ > 0) ::waitpid(id_, nullptr, 0);
  id_ = -1;
  throw Error(fmt::format("cannot start '{}': {}", arguments[0], std::strerror(problem)));
}

Process::~Process() {
  if (id_ < 0 || exit_status_) return;
  send(SIGKILL);
  while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Process::Process(Process&& other) noexcept : id_(std::exchange(other.id_, -1)), exit_status_(other.exit_status_) {}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(exit_status_, other.exit_status_);
  return *this;
}

std::optional<ExitStatus> Process::poll() {
  if (exit_status_ || id_ < 0) return exit_status_;
  int status = 0;
  const pid_t ended = ::waitpid(id_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return std::nullopt;
  exit_status_.emplace();
  if (ended > 0 && WIFSIGNALED(status))
    exit_status_->signal = WTERMSIG(status);
  else
    exit_status_->exit_code = ended > 0 ? WEXITSTATUS(status) : 127;  // 127: someone else has waited for it
  return exit_status_;
}

void Process::send(int signal) {
  if (id_ > 0 && !exit_status_) ::kill(-id_, signal);
}

std::string describe_signal(int signal) {
  switch (signal) {
    case SIGKILL:
      return "SIGKILL (killed from outside; the kernel does so when memory runs out)";
    case SIGSEGV:
      return "SIGSEGV (invalid memory access)";
    case SIGABRT:
      return "SIGABRT (aborted)";
    case SIGBUS:
      return "SIGBUS (bus error; a full disk can cause it)";
    case SIGFPE:
      return "SIGFPE (arithmetic error)";
    case SIGILL:
      return "SIGILL (illegal instruction)";
    case SIGTERM:
      return "SIGTERM (asked to end)";
    case SIGINT:
      return "SIGINT (interrupted)";
    default:
      return fmt::format("signal {} ({})", signal, ::strsignal(signal));
  }
}

}  // namespace attnlab::sweep
