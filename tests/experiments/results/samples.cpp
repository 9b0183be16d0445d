// Writes sample sweeps with their reports into a folder, for the tests that open them with other programs:
//   results_samples FOLDER

#include "tests/experiments/results/samples.h"

#include <cstdio>
#include <filesystem>

#include "experiments/results/report/report.h"
#include "experiments/results/table.h"
#include "experiments/results/tensorboard.h"

namespace attnlab::results {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& folder, void (*fill)(SweepOnDisk&)) {
  SweepOnDisk sweep;
  fill(sweep);
  fs::create_directories(folder);
  fs::copy(sweep.write(), folder, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  write_results(folder);
  write_report(folder);
  export_tensorboard(folder, folder / "tensorboard");
}

}  // namespace
}  // namespace attnlab::results

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: results_samples FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  attnlab::results::write(folder / "ordinary", attnlab::results::fill_ordinary);
  attnlab::results::write(folder / "single", attnlab::results::fill_single);
  attnlab::results::write(folder / "hostile", attnlab::results::fill_hostile);
  attnlab::results::write(folder / "large", attnlab::results::fill_large);
  return 0;
}
