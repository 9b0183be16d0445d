#pragma once
/// The probes of one run, from its first step to their files.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/probes/probe.h"

namespace attnlab::probes {

/// Those that `evaluation.probes` names, in the order of the registry.
class RunProbes {
 public:
  /// `folder` is the run's `probes/`; it is made if there is anything to write. Throws attnlab::Error for an unknown
  /// name.
  RunProbes(const spec::RunConfig& config, const data::Dataset& dataset, std::filesystem::path folder);

  bool empty() const { return probes_.empty(); }
  void begin(modules::Transformer& model);
  void stepped(modules::Transformer& model, int64_t step);

  /// Writes `<name>.json` and `<name>.svg` and returns the metrics of all. A probe that has nothing to say of a
  /// training that diverged writes nothing.
  std::map<std::string, double> finish(modules::Transformer& model, bool trained);

 private:
  struct Named {
    std::string name;
    std::unique_ptr<Probe> probe;
  };
  std::filesystem::path folder_;
  std::vector<Named> probes_;
};

}  // namespace attnlab::probes
