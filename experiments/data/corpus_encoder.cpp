#include "experiments/data/corpus_encoder.h"

#include <algorithm>
#include <future>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "support/cores.h"
#include "support/error.h"

namespace attnlab::data {
namespace {

constexpr size_t kAtOnce = 1 << 14;  // pairs that are encoded together
constexpr size_t kMostThreads = 8;   // each remembers words of its own

void assign(Ids& ids, std::span<const int32_t> from) {
  ids.assign(from.begin(), from.end());
}

}  // namespace

CorpusEncoder::CorpusEncoder(const CorpusReader& reader, const tokenizer::Tokenizer& source,
                             const tokenizer::Tokenizer& target, tokenizer::Words words, size_t most,
                             EncodedWriter& writer)
    : reader_(reader), source_eos_(source.eos()), target_eos_(target.eos()), most_(most), writer_(writer) {
  for (size_t t = 0; t < std::min(usable_cores(), kMostThreads); ++t)
    encoders_.push_back({{source, words}, {target, words}});
}

void CorpusEncoder::encode_training() {
  std::vector<std::string> sources, targets;
  const auto flush = [&] {
    for (EncodedPair& pair : encoded(sources, targets)) {
      if (std::max(pair.source.size(), pair.target.size()) <= most_) {
        add(pair);
      } else {
        ++too_long_;
      }
    }
    sources.clear();
    targets.clear();
  };
  reader_.each_training_pair([&](std::string& source, std::string& target) {
    sources.push_back(std::move(source));
    targets.push_back(std::move(target));
    if (sources.size() == kAtOnce) flush();
  });
  flush();
  if (writer_.pairs() == 0)
    throw Error(
        fmt::format("data.max_pieces: no training pair is left, all have more than {} pieces; raise it", most_));
  writer_.end_split();
}

void CorpusEncoder::encode_scored(const Split& split, SplitName name) {
  std::vector<EncodedPair>& pairs = encoded(split.source, split.target);
  for (size_t i = 0; i < pairs.size(); ++i) {
    crop(pairs[i].source, "source", i, name);
    crop(pairs[i].target, "target", i, name);
    add(pairs[i]);
  }
  writer_.end_split();
}

/// Pair i of the result is line i of both sides, each in the hands of one thread. Good until the next call.
std::vector<EncodedPair>& CorpusEncoder::encoded(const std::vector<std::string>& sources,
                                                 const std::vector<std::string>& targets) {
  const size_t count = sources.size(), threads = encoders_.size();
  pairs_.resize(count);
  std::vector<std::future<void>> parts;
  for (size_t t = 0; t < threads; ++t)
    parts.push_back(std::async(std::launch::async, [&, t] {
      for (size_t i = t * count / threads; i < (t + 1) * count / threads; ++i) {
        assign(pairs_[i].source, encoders_[t].source.encode(sources[i]));
        assign(pairs_[i].target, encoders_[t].target.encode(targets[i]));
      }
    }));
  for (std::future<void>& part : parts) part.get();
  return pairs_;
}

/// Shortens an over-long line and says so.
void CorpusEncoder::crop(Ids& ids, std::string_view side, size_t line, SplitName split) {
  if (ids.size() <= most_) return;
  cropped_.push_back(fmt::format("{} {}, line {}: {} pieces, cropped to data.max_pieces = {}", name_of(split), side,
                                 line + 1, ids.size(), most_));
  ids.resize(most_);
}

/// With the end mark on both sides.
void CorpusEncoder::add(EncodedPair& pair) {
  pair.source.push_back(source_eos_);
  pair.target.push_back(target_eos_);
  writer_.add(pair.source, pair.target);
}

}  // namespace attnlab::data
