// Stands in for `attnlab train` in the tests of the runner: fake_run BEHAVIOUR CONFIG FOLDER.

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

#include "experiments/run_folder/record.h"

namespace {

namespace fs = std::filesystem;
using attnlab::run_folder::Status;

volatile std::sig_atomic_t asked_to_stop = 0;

void on_signal(int) {
  asked_to_stop = 1;
}

void finish(const fs::path& folder, Status status, const std::string& error = "") {
  auto record = attnlab::run_folder::read_record(folder).value();
  record.status = status;
  record.error = error;
  record.seconds += 1;
  if (status == Status::completed) record.metrics["test.bleu"] = 90 + static_cast<double>(record.seed);
  attnlab::run_folder::write_record(folder, record);
}

void log_step(const fs::path& folder, int step) {
  std::ofstream(folder / "metrics.jsonl", std::ios::app)
      << "{\"step\":" << step << ",\"steps\":100,\"loss\":2.5,\"tokens_per_second\":1234}\n";
}

/// Works until it is asked to end, like a training that writes its checkpoint then.
int train_until_stopped(const fs::path& folder) {
  log_step(folder, 7);
  std::ofstream(folder / "ready") << "1";
  while (asked_to_stop == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  finish(folder, Status::interrupted);
  return 130;
}

int ignore_signals(const fs::path& folder) {
  std::ofstream(folder / "ready") << "1";
  while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 4) return 2;
  const std::string behaviour = argv[1];
  const fs::path folder = argv[3];
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::cout << behaviour << " with OMP_NUM_THREADS=" << std::getenv("OMP_NUM_THREADS")
            << " MKL_NUM_THREADS=" << std::getenv("MKL_NUM_THREADS")
            << " GOMP_SPINCOUNT=" << std::getenv("GOMP_SPINCOUNT") << std::endl;
  if (!fs::exists(argv[2])) return 3;
  if (behaviour == "exit 1") {
    std::cerr << "data.dir: no such folder 'nowhere'" << std::endl;
    return 1;
  }
  if (behaviour == "failed record") {
    finish(folder, Status::failed, "out of memory: make training.batch_tokens smaller");
    return 1;
  }
  if (behaviour == "segv") std::raise(SIGSEGV);
  if (behaviour == "kill") std::raise(SIGKILL);
  if (behaviour == "silent") return 0;
  if (behaviour == "crash after") {
    finish(folder, Status::completed);
    return 1;
  }
  if (behaviour == "diverge") {
    log_step(folder, 40);
    finish(folder, Status::diverged, "the loss is not finite at step 41");
    return 1;
  }
  if (behaviour == "stopped by another") {
    finish(folder, Status::interrupted, "stopped on request");
    return 130;
  }
  if (behaviour == "wait") return train_until_stopped(folder);
  if (behaviour == "stubborn") return ignore_signals(folder);
  log_step(folder, 100);
  finish(folder, Status::completed);
  return 0;
}
