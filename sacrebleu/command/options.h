#pragma once
/// The options of the command, those of `sacrebleu` 2.6.0.

#include <optional>
#include <string>
#include <vector>

#include "sacrebleu/bleu.h"
#include "sacrebleu/chrf.h"
#include "sacrebleu/tokenizers/tercom.h"

namespace sacrebleu {

enum class OutputFormat { json, text, latex };

struct CommandOptions {
  bool citation = false, list = false;
  std::optional<std::string> test_set, language_pair, original_language, subset, download;
  std::vector<std::string> echo;

  std::vector<std::string> references;            ///< files
  std::optional<std::vector<std::string>> input;  ///< files; none: the standard input
  int reference_count = 1;                        ///< columns of a reference file
  std::string encoding = "utf-8";

  std::vector<std::string> metrics = {"bleu"};
  bool sentence_level = false;
  BleuOptions bleu;
  ChrfOptions chrf;
  TerOptions ter;

  bool confidence = false;
  int confidence_samples = 1000;
  bool paired_randomisation = false, paired_bootstrap = false;
  int paired_trials = 10000, paired_samples = 1000, jobs = 1;

  bool quiet = false, short_signature = false, score_only = false, detail = false, no_color = false;
  int width = 1;
  OutputFormat format = OutputFormat::json;

  [[nodiscard]] bool paired() const { return paired_randomisation || paired_bootstrap; }
};

/// Reads the words behind the program's name. Throws Exit for mistakes (code 2), --help and --version (code 0).
CommandOptions read_options(const std::string& program, const std::vector<std::string>& words);

}  // namespace sacrebleu
