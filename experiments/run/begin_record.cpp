#include "experiments/run/begin_record.h"

#include <string>
#include <utility>

#include <torch/version.h>
#include <unistd.h>

#include "experiments/run/conventions.h"
#include "experiments/run_folder/configuration.h"

namespace attnlab::run {
namespace {

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

run_folder::RunRecord begin_record(const spec::RunConfig& config, const std::filesystem::path& folder, int threads) {
  auto record = run_folder::read_record(folder).value_or(run_folder::RunRecord{});
  record.status = run_folder::Status::running;
  record.seed = config.seed;
  if (record.started.empty()) record.started = run_folder::now_utc();
  record.finished.clear();
  record.error.clear();
  record.exit_code.reset();
  record.signal.reset();
  record.host = host_name();
  record.precision = config.training.precision;
  if (record.threads == 0) record.threads = threads > 0 ? threads : at::get_num_threads();
  record.versions["attnlab"] = ATTNLAB_VERSION;
  record.versions["libtorch"] = TORCH_VERSION;
  record.inputs["configuration"] = run_folder::configuration_hash(config);
  auto notes = conventions(config);
  notes.merge(record.notes);  // what an earlier start alone knew
  record.notes = std::move(notes);
  return record;
}

}  // namespace attnlab::run
