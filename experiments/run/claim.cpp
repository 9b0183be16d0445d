#include "experiments/run/claim.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "experiments/run/foreign_files.h"
#include "experiments/run_folder/configuration.h"
#include "experiments/spec/difference.h"
#include "experiments/spec/read.h"
#include "experiments/spec/write.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::run {

namespace fs = std::filesystem;

void claim_configuration(const spec::RunConfig& config, const fs::path& folder) {
  const fs::path file = folder / "config.json";
  if (fs::exists(file)) {
    const std::string difference = spec::first_difference(spec::read_run_config(file), config);
    const bool trained = !fs::is_empty(folder / "checkpoints");
    if (!difference.empty() && trained) {
      throw Error(fmt::format("{} holds a run with another configuration ({}, in {}); choose another --out",
                              folder.string(), difference, file.string()));
    }
    // The file may have been changed and then given as the configuration.
    if (trained) run_folder::read_configuration(folder);
    if (difference.empty()) return;
  }
  require_own_configuration(file);
  run_folder::read_record(folder);  // refuses what is no record
  fs::remove(folder / "run.json");
  write_file_atomically(file, spec::to_json(config).dump(2) + "\n");
}

spec::TokenizerConfig claimed_tokenizers(const spec::TokenizerConfig& asked, const fs::path& folder,
                                         const run_folder::RunRecord& record) {
  spec::TokenizerConfig tokenizer = asked;
  const bool trained = asked.model.empty() && asked.source_model.empty() && asked.target_model.empty();
  const fs::path source = folder / "source.model", target = folder / "target.model";
  if (trained && record.inputs.contains("tokenizers") && fs::exists(source) && fs::exists(target)) {
    tokenizer.source_model = source.string();
    tokenizer.target_model = target.string();
  }
  return tokenizer;
}

void claim_data(const data::Dataset& dataset, const fs::path& folder, run_folder::RunRecord& record) {
  for (const auto& [name, hash] :
       {std::pair("data", &dataset.corpus.content_hash), std::pair("tokenizers", &dataset.tokenizer_hash)}) {
    std::string& known = record.inputs[name];
    if (!known.empty() && known != *hash) {
      throw Error(std::string("the ") + name + " changed since this run started (\"inputs\" in " +
                  (folder / "run.json").string() + "); bring the old files back, or choose another --out");
    }
    known = *hash;
  }
}

}  // namespace attnlab::run
