// What `attnlab attend` looks at: sentences and runs.

#include <fmt/format.h>

#include "app/attend.h"
#include "app/open_run.h"
#include "app/text_input.h"
#include "support/error.h"

namespace attnlab::app::attention {

namespace {

namespace fs = std::filesystem;

template <typename T>
void keep_first(std::vector<T>& list, int64_t limit) {
  if (limit > 0 && list.size() > static_cast<size_t>(limit)) list.resize(static_cast<size_t>(limit));
}

const data::Split& split_of(const data::Corpus& corpus, const std::string& name) {
  return name == "train" ? corpus.train : name == "valid" ? corpus.valid : corpus.test;
}

/// The name of a run for people: its folder's last two parts and the checkpoint.
std::string name_of(const fs::path& folder, const checkpoint::TrainedRun& run, const std::string& weights) {
  const fs::path path = fs::weakly_canonical(folder);
  const std::string checkpoint = weights.empty() ? run.config.training.evaluate : weights;
  return fmt::format("{}/{} ({})", path.parent_path().filename().string(), path.filename().string(), checkpoint);
}

}  // namespace

data::Corpus corpus_for(const checkpoint::TrainedRun& run, const std::string& split) {
  const spec::DataConfig& data = run.config.data;
  return split == "train" ? data::load_corpus(data) : data::load_scored_splits(data);
}

std::string analysed_split(const Arguments& a) {
  return a.split.empty() ? "test" : a.split;
}

Lines lines_of_split(const data::Corpus& corpus, const std::string& name, bool forced, int64_t limit) {
  const data::Split& split = split_of(corpus, name);
  Lines lines{split.source, std::nullopt, split.gold};
  if (forced) lines.targets = split.target;
  keep_first(lines.sources, limit);
  keep_first(lines.gold, limit);
  if (lines.targets) keep_first(*lines.targets, limit);
  return lines;
}

Lines given_lines(const Arguments& a, const checkpoint::TrainedRun& run) {
  const int ways = (a.sentences.empty() ? 0 : 1) + (a.input.empty() ? 0 : 1) + (a.split.empty() ? 0 : 1);
  if (ways != 1)
    throw Error(
        "say what to look at in one way: --sentence TEXT, --input FILE (- for stdin), or --split train, valid or test");
  if (!a.split.empty()) return lines_of_split(corpus_for(run, a.split), a.split, a.forced, a.limit);
  Lines lines;
  lines.sources = a.sentences.empty() ? read_lines(a.input, "--input") : a.sentences;
  if (!a.targets.empty()) lines.targets = a.targets;
  if (!a.target_file.empty()) lines.targets = read_lines(a.target_file, "--targets");
  if (a.forced && !lines.targets)
    throw Error("--forced: the targets are not known; give --target or --targets, or take a --split");
  keep_first(lines.sources, a.limit);
  if (lines.targets) keep_first(*lines.targets, a.limit);
  if (lines.sources.empty()) throw Error("there is no sentence to look at: the input is empty");
  return lines;
}

Opened open_for_attention(const Arguments& a, const std::string& folder, const std::string& weights) {
  Opened opened{open_run(folder, a.device, weights), {}, {}};
  opened.name = name_of(folder, opened.run, weights);
  const modules::TransformerOptions& model = opened.run.model->options();
  opened.plan.model = model;
  opened.plan.selection = inspection::parse_selection(a.kinds, a.layers, a.heads, model);
  opened.plan.about = {{"run", opened.name},
                       {"model", fmt::format("d_model={} heads={} layers={}+{} positions={} norm={} {}", model.d_model,
                                             model.heads, model.encoder_layers, model.decoder_layers,
                                             model.encoder_positions.type, model.norm.type, model.norm.placement)}};
  return opened;
}

}  // namespace attnlab::app::attention
