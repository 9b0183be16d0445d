#include "experiments/run/conventions.h"

#include <fmt/format.h>

#include "modules/norms/registry.h"
#include "modules/positions/registry.h"

namespace attnlab::run {
namespace {

/// The words for the layouts of one kind of position methods.
struct LayoutWords {
  const char* note;  ///< what the record calls them
  bool rotates;      ///< whether they are of methods that turn queries and keys
  std::map<std::string, std::string> of_layout;
};

const std::vector<LayoutWords>& layout_words() {
  static const std::vector<LayoutWords> words = {
      {"sinusoid_layout",
       false,
       {{"interleaved", "interleaved (section 3.5 of the paper)"},
        {"halves", "halves (sines, then cosines, of the paper's angles)"},
        {"tensor2tensor", "tensor2tensor (sines, then cosines, with exponent i/(D/2-1))"}}},
      {"rotary_layout",
       true,
       {{"interleaved", "interleaved (elements 2i and 2i+1)"}, {"halves", "halves (elements i and i + d_k/2)"}}}};
  return words;
}

/// How the positions of one stack are arranged; empty if `words` are not of their kind.
std::string layout_of(const modules::PositionOptions& positions, const LayoutWords& words) {
  const auto* method = modules::find_positions(positions.type);
  if (method == nullptr || method->traits.layouts.empty() || method->traits.rotates != words.rotates) return "";
  std::string text = words.of_layout.at(positions.layout);
  if (positions.base != 10000) text += fmt::format(", base {}", positions.base);
  return text;
}

/// Both stacks' layouts in one note, empty if neither has one.
std::string layouts_of(const modules::TransformerOptions& model, const LayoutWords& words) {
  const std::string encoder = layout_of(model.encoder_positions, words);
  const std::string decoder = layout_of(model.decoder_positions, words);
  if (encoder == decoder || decoder.empty()) return encoder;
  return encoder.empty() ? decoder : fmt::format("encoder {}; decoder {}", encoder, decoder);
}

std::string initialisation(const modules::TransformerOptions& model) {
  const double encoder = modules::placement_scales(model, modules::Stack::encoder).initial;
  const double decoder = modules::placement_scales(model, modules::Stack::decoder).initial;
  std::string words = "Xavier uniform for each matrix on its own, embeddings N(0, 1/D), biases 0";
  if (encoder != 1 || decoder != 1) {
    words += fmt::format("; W_V, W_O and feed-forward times {:.4g} (encoder), {:.4g} (decoder)", encoder, decoder);
  }
  return words;
}

}  // namespace

std::map<std::string, std::string> conventions(const spec::RunConfig& config) {
  std::map<std::string, std::string> notes = {
      {"initialisation", initialisation(config.model)},
      {"label_smoothing",
       fmt::format("{} over {}", config.training.label_smoothing, config.training.label_smoothing_rule)},
      {"perplexity", "of the unsmoothed negative log-likelihood, per piece with the end mark"}};
  for (const LayoutWords& words : layout_words()) {
    const std::string layouts = layouts_of(config.model, words);
    if (!layouts.empty()) notes[words.note] = layouts;
  }
  return notes;
}

}  // namespace attnlab::run
