#include "experiments/evaluation/evaluate.h"
#include "tokenizer/blanks.h"

namespace attnlab::evaluation {

std::vector<std::string> translate(modules::Transformer& model, const data::Dataset& dataset, const data::Pairs& pairs,
                                   const spec::DecodingConfig& config) {
  std::vector<data::Ids> sources;
  sources.reserve(pairs.size());
  for (const data::PairView pair : pairs) sources.emplace_back(pair.source.begin(), pair.source.end());
  decoding::DecodeOptions options;
  options.search = config;
  options.special = decoding::special_ids(dataset.target_tokenizer);
  std::vector<std::string> translations;
  for (const auto& hypotheses : decoding::decode(model, sources, options)) {
    translations.push_back(tokenizer::as_one_field(dataset.target_tokenizer.decode(hypotheses.front().ids)));
  }
  return translations;
}

}  // namespace attnlab::evaluation
