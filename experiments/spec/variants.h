#pragma once
/// The names that a spec may use where something is chosen by name, each with a line of explanation (`attnlab list`).

#include <string>
#include <vector>

namespace attnlab::spec {

/// One name and what it stands for.
struct Choice {
  std::string name;
  std::string meaning;
};

/// A setting that is chosen by name.
struct ChoiceGroup {
  std::string path;  ///< its key: "model.norm.type"
  std::vector<Choice> choices;
};

std::vector<Choice> norm_types();         ///< model.norm.type
std::vector<Choice> norm_placements();    ///< model.norm.placement
std::vector<Choice> position_types();     ///< model.encoder_positions.type, model.decoder_positions.type
std::vector<Choice> attention_kernels();  ///< model.attention, `auto` included
std::vector<Choice> generator_names();    ///< data.generator, "" for files included
std::vector<Choice> bleu_tokenizers();    ///< evaluation.bleu_tokenize

/// Every setting that is chosen by name, with all its names, in the order of the reference page.
std::vector<ChoiceGroup> choice_groups();

/// "post, pre": the names alone.
std::string names_of(const std::vector<Choice>& choices);

/// The name nearest to `word` by edit distance, or "" if none is near enough to be meant.
std::string nearest(const std::string& word, const std::vector<std::string>& names);

}  // namespace attnlab::spec
