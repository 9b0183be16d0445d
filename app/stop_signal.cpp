#include "app/stop_signal.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>

#include <signal.h>
#include <unistd.h>

#include "app/verbs.h"

namespace attnlab::app {

namespace {
constexpr int64_t kOneRequest = 200;  // milliseconds

std::atomic<int> signals{0}, limit{0};
std::atomic<int64_t> last{-kOneRequest};
std::atomic<const char*> notice_of_first{nullptr};

int64_t milliseconds() {
  struct timespec now {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// Only what a signal handler may call.
void count(int) {
  const int64_t now = milliseconds();
  int64_t before = last;
  // Another thread may be here with the other signal of a pair.
  if (now - before < kOneRequest || !last.compare_exchange_strong(before, now)) return;
  const int count = ++signals;
  if (count >= limit) ::_exit(interrupted);
  const char* notice = notice_of_first;
  if (count > 1 || notice == nullptr) return;
  const int error = errno;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, notice, std::strlen(notice));
  errno = error;
}
}  // namespace

void count_stop_signals(int most, const char* notice) {
  limit = most;
  // Into a pipe, whose reader may have been stopped by the same key, it would end the program.
  if (::isatty(STDERR_FILENO) == 1) notice_of_first = notice;
  struct sigaction action {};
  action.sa_handler = count;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int stop_signals() {
  return signals.load();
}

}  // namespace attnlab::app
