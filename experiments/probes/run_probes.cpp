#include "experiments/probes/run_probes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "experiments/probes/registry.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::probes {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void require_known(const std::vector<std::string>& names) {
  std::string known;
  for (const ProbeVariant& variant : probe_variants()) known += (known.empty() ? "" : ", ") + variant.name;
  for (const std::string& name : names) {
    const bool found = std::any_of(probe_variants().begin(), probe_variants().end(),
                                   [&](const ProbeVariant& variant) { return variant.name == name; });
    if (!found) throw Error(fmt::format("evaluation.probes: '{}' is unknown; expected {}", name, known));
  }
}

}  // namespace

RunProbes::RunProbes(const spec::RunConfig& config, const data::Dataset& dataset, std::filesystem::path folder)
    : folder_(std::move(folder)) {
  require_known(config.evaluation.probes);
  for (const ProbeVariant& variant : probe_variants()) {
    if (!contains(config.evaluation.probes, variant.name)) continue;
    make_folder(folder_);
    probes_.push_back({variant.name, variant.make({config, dataset, folder_})});
  }
}

void RunProbes::begin(modules::Transformer& model) {
  for (const Named& named : probes_) named.probe->begin(model);
}

void RunProbes::stepped(modules::Transformer& model, int64_t step) {
  for (const Named& named : probes_) named.probe->stepped(model, step);
}

std::map<std::string, double> RunProbes::finish(modules::Transformer& model, bool trained) {
  std::map<std::string, double> metrics;
  for (const Named& named : probes_) {
    const Findings findings = named.probe->finish(model, trained);
    for (const auto& [name, value] : findings.metrics) {
      if (std::isfinite(value)) metrics[name] = value;
    }
    if (!findings.document.empty())
      write_file_atomically(folder_ / (named.name + ".json"), findings.document.dump(2) + "\n");
    if (!findings.picture.empty()) write_file_atomically(folder_ / (named.name + ".svg"), findings.picture);
  }
  return metrics;
}

}  // namespace attnlab::probes
