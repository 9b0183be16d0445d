#include "experiments/spec/variants.h"

#include <algorithm>

#include "experiments/spec/describe.h"
#include "experiments/spec/generators.h"
#include "experiments/spec/metrics.h"
#include "modules/attention/registry.h"
#include "modules/norms/registry.h"
#include "modules/positions/registry.h"
#include "sacrebleu/tokenizers/tokenizer.h"
#include "support/edit_distance.h"

namespace attnlab::spec {
namespace {

template <typename Variant>
std::vector<Choice> choices_of(const std::vector<Variant>& variants) {
  std::vector<Choice> choices;
  for (const Variant& variant : variants) {
    const std::string paper = variant.paper.empty() ? "" : " (" + variant.paper + ")";
    choices.push_back({variant.name, variant.description + paper});
  }
  return choices;
}

}  // namespace

std::vector<Choice> norm_types() {
  return choices_of(modules::norm_variants());
}

std::vector<Choice> norm_placements() {
  return choices_of(modules::placement_variants());
}

std::vector<Choice> position_types() {
  return choices_of(modules::position_variants());
}

std::vector<Choice> attention_kernels() {
  return choices_of(modules::attention_variants());
}

std::vector<Choice> generator_names() {
  std::vector<Choice> choices = {{"", "no generator: parallel text files in data.dir"}};
  for (const GeneratorVariant& generator : generator_variants()) {
    choices.push_back({generator.name, generator.description});
  }
  return choices;
}

std::vector<Choice> bleu_tokenizers() {
  std::vector<Choice> choices;
  for (const sacrebleu::BasicTokenizer& tokenizer : sacrebleu::basic_tokenizers()) {
    choices.push_back({tokenizer.name, tokenizer.description});
  }
  return choices;
}

std::vector<ChoiceGroup> choice_groups() {
  std::vector<ChoiceGroup> groups;
  RunConfig config;
  for (const Field& field : describe(config).fields) {
    if (!field.choices.empty()) groups.push_back({field.path, field.choices});
  }
  groups.push_back({"metric.name", metric_names()});
  return groups;
}

std::string names_of(const std::vector<Choice>& choices) {
  std::string text;
  for (const Choice& choice : choices) {
    if (!text.empty()) text += ", ";
    text += choice.name.empty() ? "\"\"" : choice.name;
  }
  return text;
}

std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  // More than a third of the letters wrong: another word, not a slip. The comparison is bounded, a pasted megabyte is
  // no slip either.
  const size_t limit = std::max<size_t>(2, word.size() / 3);
  std::string best;
  size_t best_distance = limit + 1;
  if (word.size() > 200) return best;
  for (const std::string& name : names) {
    const size_t distance = edit_distance(word, name);
    if (distance < best_distance && distance < name.size()) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace attnlab::spec
