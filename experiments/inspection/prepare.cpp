#include "experiments/inspection/prepare.h"

#include <utility>

#include <fmt/format.h>

#include "experiments/decoding/decode.h"
#include "experiments/inspection/sentence.h"
#include "support/error.h"
#include "tokenizer/utf8.h"

namespace attnlab::inspection {

namespace {

tokenizer::Ids encode(const tokenizer::Tokenizer& tokenizer, const std::string& line, int64_t limit,
                      const std::string& what, const Warn& warn) {
  tokenizer::Ids ids = tokenizer.encode(line);
  if (static_cast<int64_t>(ids.size()) > limit) {
    if (warn) warn(fmt::format("{}: {} pieces, cropped to data.max_pieces = {}", what, ids.size(), limit));
    ids.resize(static_cast<size_t>(limit));
  }
  return ids;
}

std::vector<tokenizer::Ids> translate(checkpoint::TrainedRun& run, std::vector<tokenizer::Ids> sources) {
  for (tokenizer::Ids& source : sources) source.push_back(run.tokenizers.source.eos());
  decoding::DecodeOptions options;
  options.search = run.config.decoding;
  options.special = decoding::special_ids(run.tokenizers.target);
  std::vector<tokenizer::Ids> targets;
  for (auto& hypotheses : decoding::decode(run.model, sources, options))
    targets.push_back(std::move(hypotheses.front().ids));
  return targets;
}

}  // namespace

std::vector<Sentence> prepare_sentences(checkpoint::TrainedRun& run, const std::vector<std::string>& sources,
                                        const std::optional<std::vector<std::string>>& targets, const Warn& warn) {
  if (targets && targets->size() != sources.size()) {
    throw Error(fmt::format("{} sources but {} targets: they must be the same sentences, one by one", sources.size(),
                            targets->size()));
  }
  const int64_t limit = run.config.data.max_pieces;
  std::vector<tokenizer::Ids> source_ids, target_ids;
  for (size_t i = 0; i < sources.size(); ++i) {
    source_ids.push_back(encode(run.tokenizers.source, sources[i], limit, fmt::format("source {}", i + 1), warn));
    if (targets)
      target_ids.push_back(encode(run.tokenizers.target, (*targets)[i], limit, fmt::format("target {}", i + 1), warn));
  }
  if (!targets) target_ids = translate(run, source_ids);
  std::vector<Sentence> sentences;
  for (size_t i = 0; i < sources.size(); ++i) {
    std::string target_text = targets ? (*targets)[i] : run.tokenizers.target.decode(target_ids[i]);
    sentences.push_back(make_sentence(static_cast<int64_t>(i), run.tokenizers.source, run.tokenizers.target,
                                      source_ids[i], target_ids[i], tokenizer::with_invalid_utf8_replaced(sources[i]),
                                      tokenizer::with_invalid_utf8_replaced(std::move(target_text))));
  }
  return sentences;
}

}  // namespace attnlab::inspection
