#include "app/bench_translation.h"

#include <iostream>

#include "app/open_run.h"
#include "app/text_input.h"
#include "app/verbs.h"
#include "experiments/decoding/decode.h"
#include "support/clock.h"
#include "support/error.h"
#include "support/run_server.h"

namespace attnlab::app {
namespace {

/// Of a hypothesis, end mark included.
constexpr int64_t kMostTokens = 60;

decoding::DecodeOptions decode_options(const TranslationBenchmark& options, const checkpoint::TrainedRun& run) {
  decoding::DecodeOptions decode;
  decode.search = run.config.decoding;
  decode.search.beam = options.beam;
  decode.search.length_penalty = options.beam > 1 ? "average" : "none";
  decode.search.alpha = 1;
  decode.search.max_length_ratio = 0;
  decode.search.max_length_extra = kMostTokens;
  decode.special = decoding::special_ids(run.tokenizers.target);
  return decode;
}

/// Tokens of the best hypotheses.
int64_t translate_once(checkpoint::TrainedRun& run, const std::vector<std::string>& lines,
                       const decoding::DecodeOptions& options) {
  const auto sources = encode_lines(run.tokenizers.source, lines, run.config.data.max_pieces, "--input");
  int64_t tokens = 0;
  for (const auto& hypotheses : decoding::decode(run.model, sources, options)) {
    const auto& best = hypotheses.front();
    run.tokenizers.target.decode(best.ids);
    tokens += static_cast<int64_t>(best.ids.size()) + (best.finished ? 1 : 0);
  }
  return tokens;
}

Json measure(checkpoint::TrainedRun& run, const std::vector<std::string>& lines, const decoding::DecodeOptions& options,
             int64_t times) {
  const auto start = Clock::now();
  int64_t tokens = 0;
  for (int64_t i = 0; i < times; ++i) tokens += translate_once(run, lines, options);
  const double seconds = seconds_since(start);
  return {{"tok_s", static_cast<double>(tokens) / seconds},
          {"sentences_s", static_cast<double>(times) * static_cast<double>(lines.size()) / seconds},
          {"tokens", tokens / times},
          {"s", seconds}};
}

}  // namespace

int serve_translation(const TranslationBenchmark& options) {
  if (options.input == "-") throw Error("--input: the `run N` lines come from the standard input; name a file");
  auto run = open_run(options.run, options.device);
  const auto lines = read_lines(options.input, "--input");
  const auto decode = decode_options(options, run);
  translate_once(run, lines, decode);
  serve_runs(std::cin, std::cout, {{"ready", true}, {"sentences", lines.size()}, {"beam", options.beam}},
             [&](int64_t times) { return measure(run, lines, decode, times); });
  return done;
}

}  // namespace attnlab::app
