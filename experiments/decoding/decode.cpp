#include "experiments/decoding/decode.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/decoding/beam_search.h"
#include "experiments/decoding/decode_batches.h"
#include "experiments/decoding/greedy.h"
#include "experiments/decoding/transformer_steps.h"
#include "experiments/decoding/workers.h"
#include "experiments/spec/validate.h"
#include "modules/evaluation_mode.h"
#include "modules/positions/registry.h"
#include "support/error.h"

namespace attnlab::decoding {
namespace {

void require(bool condition, const std::string& message) {
  if (!condition) throw Error(message);
}

void check(const spec::DecodingConfig& search) {
  require(search.beam >= 1, fmt::format("decoding.beam is {}; it must be at least 1", search.beam));
  require(search.batch_sentences >= 1,
          fmt::format("decoding.batch_sentences is {}; it must be at least 1", search.batch_sentences));
  require(search.min_length >= 0, fmt::format("decoding.min_length is {}; it must not be negative", search.min_length));
  require(std::isfinite(search.max_length_ratio) && search.max_length_ratio >= 0,
          fmt::format("decoding.max_length_ratio is {}; it must be a number >= 0", search.max_length_ratio));
  require(search.max_length_extra >= 0,
          fmt::format("decoding.max_length_extra is {}; it must not be negative", search.max_length_extra));
  for (const std::string& problem : spec::problems(search)) throw Error(problem);
}

void check(const Sampling& sampling) {
  require(std::isfinite(sampling.temperature) && sampling.temperature > 0,
          fmt::format("temperature is {}; it must be a number above 0 (top-k 1 gives the likeliest token)",
                      sampling.temperature));
  require(sampling.top_k >= 0, fmt::format("top-k is {}; it must be at least 1, or 0 for all", sampling.top_k));
  require(sampling.top_p > 0 && sampling.top_p <= 1, fmt::format("top-p is {}; it must be in (0, 1]", sampling.top_p));
}

Ids banned(const DecodeOptions& options) {
  Ids ids = options.special.silent;
  if (!options.search.allow_unk) ids.push_back(options.special.unk);
  return ids;
}

SearchOptions search_options(const DecodeOptions& options) {
  return {options.search.beam,
          options.n_best,
          LengthPenalty::named(options.search.length_penalty, options.search.alpha),
          options.search.min_length,
          options.special.bos,
          options.special.eos,
          banned(options)};
}

bool is_bounded(const modules::PositionOptions& positions) {
  const modules::PositionVariant* variant = modules::find_positions(positions.type);
  return variant != nullptr && variant->traits.bounded;
}

/// The most tokens of a hypothesis, eos included. A table of positions without a rule for what is beyond ends it
/// earlier.
int64_t length_limit(const spec::DecodingConfig& search, const modules::TransformerOptions& model,
                     size_t source_tokens) {
  const double pieces = static_cast<double>(source_tokens) - 1;  // without eos
  const double most = std::min(std::floor(search.max_length_ratio * pieces), 1e9);
  int64_t limit = static_cast<int64_t>(most) + search.max_length_extra;
  const modules::PositionOptions& positions = model.decoder_positions;
  if (is_bounded(positions) && positions.beyond == "error") limit = std::min(limit, positions.max_length);
  return std::max<int64_t>(limit, 1);
}

/// Which of the sources say something: an empty sentence is its end mark alone.
std::vector<int64_t> sentences_with_text(const std::vector<Ids>& sources) {
  std::vector<int64_t> sentences;
  for (size_t i = 0; i < sources.size(); ++i) {
    require(!sources[i].empty(), fmt::format("source {} has no ids; an empty sentence is its end mark alone", i + 1));
    if (sources[i].size() > 1) sentences.push_back(static_cast<int64_t>(i));
  }
  return sentences;
}

/// The given sentences in batches.
std::vector<std::vector<int64_t>> batches_of(const std::vector<int64_t>& sentences, const std::vector<Ids>& sources,
                                             int64_t most) {
  std::vector<int64_t> lengths;
  for (const int64_t sentence : sentences)
    lengths.push_back(static_cast<int64_t>(sources[static_cast<size_t>(sentence)].size()));
  auto batches = decode_batches(lengths, most);
  for (std::vector<int64_t>& batch : batches)
    for (int64_t& sentence : batch) sentence = sentences[static_cast<size_t>(sentence)];
  return batches;
}

/// The decoder's matrices for all batches and workers of one call. Training may go on afterwards, so no call keeps
/// them.
modules::ArrangedDecoder arranged(const modules::Transformer& model) {
  const torch::NoGradGuard no_grad;
  return model->arranged_decoder();
}

/// What keys the draws of the sentences of a batch.
std::vector<int64_t> numbers(std::vector<int64_t> batch, const DecodeOptions& options) {
  for (int64_t& sentence : batch) sentence += options.first_sentence;
  return batch;
}

std::vector<std::vector<Hypothesis>> decode_batch(const modules::Transformer& model,
                                                  const modules::ArrangedDecoder& weights,
                                                  const std::vector<Ids>& sources, const std::vector<int64_t>& batch,
                                                  const DecodeOptions& options) {
  std::vector<const Ids*> rows;
  std::vector<int64_t> limits;
  for (const int64_t sentence : batch) {
    const Ids& source = sources[static_cast<size_t>(sentence)];
    rows.push_back(&source);
    limits.push_back(length_limit(options.search, model->options(), source.size()));
  }
  TransformerSteps steps(model, weights, rows, options.gates);
  const SearchOptions search = search_options(options);
  if (options.sampling) return sample(steps, limits, numbers(batch, options), search, *options.sampling);
  return search.beam == 1 ? greedy_search(steps, limits, search) : beam_search(steps, limits, search);
}

/// Few sentences are divided so that every worker has some.
int64_t batch_size(const DecodeOptions& options, size_t sentences, Spread spread) {
  const int64_t most = options.search.batch_sentences;
  if (spread == Spread::over_operators) return most;
  const auto workers = static_cast<size_t>(at::get_num_threads());
  const auto share = static_cast<int64_t>((sentences + workers - 1) / workers);
  return std::clamp<int64_t>(share, 1, most);
}

}  // namespace

void check(const DecodeOptions& options) {
  check(options.search);
  require(options.n_best >= 1, fmt::format("--n-best is {}; it must be at least 1", options.n_best));
  if (options.sampling) {
    check(*options.sampling);
  } else {
    require(options.n_best <= options.search.beam,
            fmt::format("--n-best {0} is more than --beam {1} (decoding.beam) holds: raise --beam to {0} or lower "
                        "--n-best to {1}",
                        options.n_best, options.search.beam));
  }
  search_options(options);
}

std::vector<std::vector<Hypothesis>> decode(modules::Transformer& model, const std::vector<Ids>& sources,
                                            const DecodeOptions& options) {
  check(options);
  const modules::EvaluationMode evaluation(*model);
  const Spread spread = device_of(model).is_cpu() ? Spread::over_batches : Spread::over_operators;
  const auto sentences = sentences_with_text(sources);
  const auto batches = batches_of(sentences, sources, batch_size(options, sentences.size(), spread));
  const modules::ArrangedDecoder weights = arranged(model);
  std::vector<std::vector<Hypothesis>> results(sources.size(), {Hypothesis{}});
  for_each_batch(static_cast<int64_t>(batches.size()), spread, [&](int64_t i) {
    const std::vector<int64_t>& batch = batches[static_cast<size_t>(i)];
    auto decoded = decode_batch(model, weights, sources, batch, options);
    for (size_t row = 0; row < batch.size(); ++row) results[static_cast<size_t>(batch[row])] = std::move(decoded[row]);
  });
  return results;
}

}  // namespace attnlab::decoding
