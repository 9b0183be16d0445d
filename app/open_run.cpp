#include "app/open_run.h"

#include <cstdio>

#include <fmt/format.h>

#include "experiments/training/device.h"

namespace attnlab::app {

checkpoint::TrainedRun open_run(const std::string& folder, const std::string& device, const std::string& weights) {
  checkpoint::TrainedRun run = checkpoint::open_run(folder, training::choose_device(device, "--device"), weights);
  for (const std::string& warning : run.warnings) fmt::print(stderr, "attnlab: warning: {}\n", warning);
  return run;
}

}  // namespace attnlab::app
