#pragma once
/// Speed of translating a file with a trained run, to be timed in turn with other programs.

#include <cstdint>
#include <string>

namespace attnlab::app {

struct TranslationBenchmark {
  std::string run, input;  ///< folder of a trained run, file of source lines
  std::string device = "cpu";
  int64_t beam = 1;  ///< with the length rule `average`, alpha 1, where it is above 1
};

/// Reads `run N` lines from stdin until `quit` and answers each with one JSON line: tok_s (tokens of the best
/// hypotheses, end marks included), sentences_s, tokens and s, of N translations of the file from text to text, with
/// hypotheses of at most 60 tokens.
int serve_translation(const TranslationBenchmark& options);

}  // namespace attnlab::app
