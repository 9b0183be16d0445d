#include "app/stop_signal.h"

#include <atomic>

#include <signal.h>
#include <unistd.h>

#include "app/verbs.h"

namespace attnlab::app {

namespace {
std::atomic<int> signals{0}, limit{0};
void count(int) {
  if (++signals >= limit) ::_exit(interrupted);
}
}  // namespace

void count_stop_signals(int most) {
  limit = most;
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
