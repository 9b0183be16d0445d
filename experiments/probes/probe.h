#pragma once
/// The interface of probes: measurements of one run beside its scores. A probe is one file here and one line in
/// `registry.cpp`; a spec names it in `evaluation.probes`.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "experiments/data/dataset.h"
#include "experiments/spec/run_config.h"
#include "modules/transformer.h"
#include "support/json.h"

namespace attnlab::probes {

/// What a probe found.
struct Findings {
  Json document = Json::object();         ///< everything, for `probes/<name>.json`
  std::map<std::string, double> metrics;  ///< the main numbers, for the tables: "<probe>.<number>" -> finite value
  std::string picture;                    ///< an SVG document, for `probes/<name>.svg`; empty: nothing to draw
};

/// What a probe may look at. Everything outlives it.
struct ProbeInput {
  const spec::RunConfig& config;
  const data::Dataset& dataset;
  std::filesystem::path folder;  ///< the run's `probes/`
};

/// One probe of one run. It never changes the model, its mode, its gradients or any random number.
class Probe {
 public:
  virtual ~Probe() = default;

  /// Before the first step of this start: a resumed run calls it again, with the weights of the initialisation.
  virtual void begin(modules::Transformer& /*model*/) {}
  /// After each step.
  virtual void stepped(modules::Transformer& /*model*/, int64_t /*step*/) {}
  /// After the training, with the weights that are tested. `trained` is false where the training diverged: then the
  /// weights mean nothing.
  virtual Findings finish(modules::Transformer& model, bool trained) = 0;
};

}  // namespace attnlab::probes
