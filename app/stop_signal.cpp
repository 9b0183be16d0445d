#include "app/stop_signal.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace attnlab::app {

namespace {
std::atomic<int> signals{0};
void count(int) { ++signals; }
}  // namespace

void count_stop_signals() {
  struct sigaction action {};
  action.sa_handler = count;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int stop_signals() { return signals.load(); }

}  // namespace attnlab::app
