#pragma once
/// A tiny model with everything that takes steps with it.

#include <memory>
#include <utility>

#include "experiments/training/optimizer.h"
#include "experiments/training/parameters.h"
#include "experiments/training/step.h"
#include "modules/transformer.h"

namespace attnlab::tests {

/// Ids below 12; padding has id 0.
struct Bench {
  explicit Bench(spec::RunConfig configuration) : config(std::move(configuration)) {
    modules::TransformerOptions options = config.model;
    options.source_vocab = options.target_vocab = 12;
    model = modules::Transformer(options);
    model->reset_parameters(static_cast<uint64_t>(config.seed));
    parameters = std::make_unique<training::FlatParameters>(*model);
    adam = std::make_unique<training::Adam>(*parameters, config.training.optimizer);
    stepper = std::make_unique<training::Stepper>(config, model, *parameters, *adam, /*pad=*/0);
  }

  spec::RunConfig config;
  modules::Transformer model{nullptr};
  std::unique_ptr<training::FlatParameters> parameters;
  std::unique_ptr<training::Adam> adam;
  std::unique_ptr<training::Stepper> stepper;
};

}  // namespace attnlab::tests
