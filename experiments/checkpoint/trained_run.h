#pragma once
/// A finished run, opened for use: translate, score, look inside.

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/spec/run_config.h"
#include "modules/transformer.h"
#include "tokenizer/tokenizer.h"

namespace attnlab::checkpoint {

/// The tokenizers of one run, as they lie in its folder.
struct RunTokenizers {
  tokenizer::Tokenizer source, target;
};

/// Writes the tokenizers into a run's folder, so that the folder can be used, or copied, alone.
void save_tokenizers(const std::filesystem::path& folder, const tokenizer::Tokenizer& source,
                     const tokenizer::Tokenizer& target);

/// A model with the weights that its configuration says are to be evaluated, on `device`, in evaluation mode.
struct TrainedRun {
  spec::RunConfig config;
  RunTokenizers tokenizers;
  modules::Transformer model{nullptr};
  std::vector<std::string> warnings;  ///< for the person, one line each
};

/// Opens a run's folder. `weights` names a checkpoint (`best`, `last`, `average`); empty: the one of the configuration.
/// Throws attnlab::Error if the folder holds no run, its training has not got far enough, or the weights were trained
/// with another configuration or other tokenizers than those in the folder.
TrainedRun open_run(const std::filesystem::path& folder, torch::Device device, const std::string& weights = "");

/// The options of the model that a configuration and two vocabularies give.
modules::TransformerOptions model_options(const spec::RunConfig& config, const RunTokenizers& tokenizers);

}  // namespace attnlab::checkpoint
