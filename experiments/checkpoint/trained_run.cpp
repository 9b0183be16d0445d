#include "experiments/checkpoint/trained_run.h"

#include <fmt/format.h>

#include "experiments/checkpoint/identity.h"
#include "experiments/checkpoint/safetensors.h"
#include "experiments/data/content_hash.h"
#include "experiments/spec/read.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::checkpoint {

namespace fs = std::filesystem;

namespace {

/// The weights in `file`, if they belong to the configuration and the tokenizers of `run`.
void load_own_weights(const fs::path& file, TrainedRun& run) {
  const TensorFile weights = load_tensors(file);
  if (const auto named = identity_in(weights.metadata)) {
    const std::string tokenizers = data::tokenizers_hash(run.tokenizers.source, run.tokenizers.target);
    require_same(*named, identity_of(run.config, tokenizers), file.string());
  } else {
    run.warnings.push_back(
        fmt::format("'{}' is of an older version and does not say what it was trained with; the run's config.json and "
                    "tokenizers are taken as they are",
                    file.string()));
  }
  load_weights(*run.model, weights.tensors, fmt::format("'{}'", file.string()));
}

}  // namespace

void save_tokenizers(const fs::path& folder, const tokenizer::Tokenizer& source, const tokenizer::Tokenizer& target) {
  write_file_atomically(folder / "source.model", source.bytes());
  write_file_atomically(folder / "target.model", target.bytes());
}

modules::TransformerOptions model_options(const spec::RunConfig& config, const RunTokenizers& tokenizers) {
  modules::TransformerOptions options = config.model;
  options.source_vocab = tokenizers.source.vocab_size();
  options.target_vocab = tokenizers.target.vocab_size();
  return options;
}

TrainedRun open_run(const fs::path& folder, torch::Device device, const std::string& weights) {
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw Error("--run " + folder.string() + ": a file; expected the folder of a run");
  if (!fs::is_directory(folder)) {
    throw Error("--run " + folder.string() +
                ": no such folder; expected the folder of one run, e.g. out/demo/runs/<variant>/seed=1");
  }
  if (!fs::exists(folder / "config.json")) {
    throw Error(
        "--run " + folder.string() +
        ": holds no config.json, so it is not the folder of a run; a sweep's runs lie in its runs/<variant>/seed=<n>");
  }
  TrainedRun run;
  run.config = spec::read_run_config(folder / "config.json");
  if (!fs::exists(folder / "source.model"))
    throw Error("--run " + folder.string() +
                ": the run has not begun; `attnlab run` on its sweep, or `attnlab train`, does it");
  run.tokenizers.source = tokenizer::Tokenizer::load((folder / "source.model").string());
  run.tokenizers.target = tokenizer::Tokenizer::load((folder / "target.model").string());
  const std::string name = weights.empty() ? run.config.training.evaluate : weights;
  const fs::path file = folder / "checkpoints" / (name + ".safetensors");
  if (!fs::exists(file)) {
    throw Error("--run " + folder.string() + ": " + file.string() + " is not there; the run has not got that far" +
                (fs::exists(folder / "checkpoints" / "last.safetensors") ? " (--weights last is there)" : ""));
  }
  run.model = modules::Transformer(model_options(run.config, run.tokenizers));
  load_own_weights(file, run);
  run.model->to(device);
  run.model->eval();
  return run;
}

}  // namespace attnlab::checkpoint
