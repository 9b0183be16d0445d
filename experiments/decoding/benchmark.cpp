#include "experiments/decoding/benchmark.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/clock.h"
#include "support/error.h"

namespace attnlab::decoding {
namespace {

constexpr int32_t kFirstPiece = 4;  // after pad, unk, bos and eos

void check(const BenchmarkOptions& options) {
  const auto require = [](bool condition, const std::string& message) {
    if (!condition) throw Error(message);
  };
  require(options.vocab > kFirstPiece,
          fmt::format("a vocabulary of {} pieces; it must have more than {}", options.vocab, kFirstPiece));
  require(options.sentences >= 1 && options.rounds >= 1, "a benchmark needs at least one sentence and one round");
  require(options.min_source >= 0 && options.max_source >= options.min_source,
          fmt::format("sources of {} to {} pieces; the longest must not be below the shortest", options.min_source,
                      options.max_source));
}

modules::Transformer random_model(const BenchmarkOptions& options) {
  modules::TransformerOptions shape = options.model;
  shape.source_vocab = shape.target_vocab = options.vocab;
  modules::Transformer model(shape);
  model->reset_parameters(options.seed);
  model->to(options.device);
  return model;
}

std::vector<Ids> random_sources(const BenchmarkOptions& options, int32_t eos) {
  const auto pick = [&](int64_t sentence, int64_t place, int64_t choices) {
    const double number = uniform(options.seed, static_cast<uint64_t>(sentence), static_cast<uint64_t>(place), 0);
    return static_cast<int64_t>(number * static_cast<double>(choices));
  };
  std::vector<Ids> sources(static_cast<size_t>(options.sentences));
  for (int64_t i = 0; i < options.sentences; ++i) {
    const int64_t length = options.min_source + pick(i, 0, options.max_source - options.min_source + 1);
    Ids& source = sources[static_cast<size_t>(i)];
    for (int64_t place = 1; place <= length; ++place) {
      source.push_back(kFirstPiece + static_cast<int32_t>(pick(i, place, options.vocab - kFirstPiece)));
    }
    source.push_back(eos);
  }
  return sources;
}

int64_t token_count(const std::vector<std::vector<Hypothesis>>& decoded) {
  int64_t tokens = 0;
  for (const auto& hypotheses : decoded)
    tokens += static_cast<int64_t>(hypotheses.front().ids.size()) + (hypotheses.front().finished ? 1 : 0);
  return tokens;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double median_of(const std::vector<BenchmarkRound>& rounds, double BenchmarkRound::*member) {
  std::vector<double> values;
  for (const BenchmarkRound& round : rounds) values.push_back(round.*member);
  return median(std::move(values));
}

}  // namespace

double BenchmarkReport::median_sentences_per_second() const {
  return median_of(rounds, &BenchmarkRound::sentences_per_second);
}

double BenchmarkReport::median_tokens_per_second() const {
  return median_of(rounds, &BenchmarkRound::tokens_per_second);
}

BenchmarkReport benchmark(const BenchmarkOptions& options) {
  check(options);
  modules::Transformer model = random_model(options);
  DecodeOptions decoding;
  decoding.search = options.search;
  decoding.search.max_length_ratio = 1;
  decoding.search.max_length_extra = 1;
  decoding.search.min_length = 0;
  const std::vector<Ids> sources = random_sources(options, decoding.special.eos);
  decoding.special.eos = static_cast<int32_t>(options.vocab);  // no piece: nothing ends before its limit

  BenchmarkReport report;
  for (int64_t round = 0; round <= options.rounds; ++round) {
    const auto start = Clock::now();
    report.tokens = token_count(decode(model, sources, decoding));
    const double seconds = seconds_since(start);
    const bool warm_up = round == 0;
    if (!warm_up)
      report.rounds.push_back(
          {seconds, static_cast<double>(options.sentences) / seconds, static_cast<double>(report.tokens) / seconds});
  }
  return report;
}

}  // namespace attnlab::decoding
