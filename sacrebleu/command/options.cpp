#include "sacrebleu/command/options.h"

#include "sacrebleu/command/argument_parser.h"

namespace sacrebleu {
namespace {

using Count = ArgumentCount;
using Type = ArgumentType;

Argument flag(std::vector<std::string> flags, const std::string& name, const std::string& help,
              const std::string& exclusive = "") {
  return {std::move(flags), name, Count::none, Type::text, {}, help, exclusive};
}

Argument value(std::vector<std::string> flags, const std::string& name, Type type, const std::string& help) {
  return {std::move(flags), name, Count::one, type, {}, help, ""};
}

Argument choice(std::vector<std::string> flags, const std::string& name, std::vector<std::string> choices,
                const std::string& help, Count count = Count::one) {
  return {std::move(flags), name, count, Type::text, std::move(choices), help, ""};
}

Argument list(std::vector<std::string> flags, const std::string& name, Count count, const std::string& help) {
  return {std::move(flags), name, count, Type::text, {}, help, ""};
}

/// In the order in which the original's usage shows them.
std::vector<Argument> all_arguments() {
  return {
      flag({"-h", "--help"}, "help", "show this help and exit"),
      flag({"--citation", "--cite"}, "citation", "not available: citations of test sets are not carried along"),
      flag({"--list"}, "list", "list the test sets that lie in the SACREBLEU folder"),
      value({"--test-set", "-t"}, "test_set", Type::text, "test set(s) in the SACREBLEU folder, separated by commas"),
      value({"--language-pair", "-l"}, "langpair", Type::text, "source and target language, such as en-de"),
      value({"--origlang", "-ol"}, "origlang", Type::text, "not available: needs the raw files of a test set"),
      value({"--subset"}, "subset", Type::text, "not available: needs the raw files of a test set"),
      value({"--download"}, "download", Type::text, "not available: nothing is downloaded"),
      list({"--echo"}, "echo", Count::some, "print these fields (src, ref, ...) of a test set"),
      list({"--input", "-i"}, "input", Count::any, "files of system outputs, instead of the standard input"),
      list({}, "refs", Count::any, "files of references, one a stream; they stand before -i"),
      value({"--num-refs", "-nr"}, "num_refs", Type::integer,
            "number of tab-separated references in each reference line (1)"),
      value({"--encoding", "-e"}, "encoding", Type::text, "encoding of all text (utf-8)"),
      choice({"--metrics", "-m"}, "metrics", {"bleu", "chrf", "ter"}, "metrics to compute (bleu)", Count::some),
      flag({"--sentence-level", "-sl"}, "sentence_level", "score every line on its own"),
      choice({"--smooth-method", "-s"}, "bleu_smooth_method", {"none", "floor", "add-k", "exp"},
             "BLEU smoothing (exp)"),
      value({"--smooth-value", "-sv"}, "bleu_smooth_value", Type::real, "value of floor (0.1) or add-k (1)"),
      choice({"--tokenize", "-tok"}, "bleu_tokenize", tokenizer_names(),
             "BLEU tokenizer (13a; zh, ja-mecab, ko-mecab by -l)"),
      flag({"--lowercase", "-lc"}, "bleu_lowercase", "BLEU ignores case"),
      flag({"--force"}, "bleu_force", "do not warn about text that looks tokenized"),
      value({"--chrf-char-order", "-cc"}, "chrf_char_order", Type::integer, "longest character n-gram (6)"),
      value({"--chrf-word-order", "-cw"}, "chrf_word_order", Type::integer, "longest word n-gram (0; 2 is chrF++)"),
      value({"--chrf-beta"}, "chrf_beta", Type::integer, "weight of recall against precision (2)"),
      flag({"--chrf-whitespace"}, "chrf_whitespace", "chrF counts whitespace"),
      flag({"--chrf-lowercase"}, "chrf_lowercase", "chrF ignores case"),
      flag({"--chrf-eps-smoothing"}, "chrf_eps_smoothing", "chrF smooths as chrF++.py, NLTK and Moses do"),
      flag({"--ter-case-sensitive"}, "ter_case_sensitive", "TER respects case, which it ignores by default"),
      flag({"--ter-asian-support"}, "ter_asian_support", "TER treats CJK characters specially"),
      flag({"--ter-no-punct"}, "ter_no_punct", "TER removes punctuation"),
      flag({"--ter-normalized"}, "ter_normalized", "TER normalizes and tokenizes"),
      flag({"--confidence", "-ci"}, "confidence", "report a 95% confidence interval by bootstrap resampling"),
      value({"--confidence-n", "-cin"}, "confidence_n", Type::integer, "number of resamples for -ci (1000)"),
      flag({"--paired-ar", "-par"}, "paired_ar", "compare systems by approximate randomization", "paired"),
      flag({"--paired-bs", "-pbs"}, "paired_bs", "compare systems by bootstrap resampling", "paired"),
      value({"--paired-ar-n", "-parn"}, "paired_ar_n", Type::integer, "number of trials for -par (10000)"),
      value({"--paired-bs-n", "-pbsn"}, "paired_bs_n", Type::integer, "number of resamples for -pbs (1000)"),
      value({"--paired-jobs", "-j"}, "paired_jobs", Type::integer, "number of threads (1; 0: as many as systems need)"),
      flag({"--quiet", "-q"}, "quiet", "no progress messages"),
      flag({"--short", "-sh"}, "short", "shorter signatures"),
      flag({"--score-only", "-b"}, "score_only", "print the score only"),
      value({"--width", "-w"}, "width", Type::integer, "number of decimals (1)"),
      flag({"--detail", "-d"}, "detail", "print results of subsets, too"),
      flag({"--no-color", "-nc"}, "no_color", "no colours, even on a terminal"),
      choice({"--format", "-f"}, "format", {"json", "text", "latex"},
             "output format (json); SACREBLEU_FORMAT goes before"),
      flag({"--version", "-V"}, "version", "show the version and exit"),
  };
}

constexpr const char* kDescription =
    "sacreBLEU scores in C++: BLEU, chrF and TER with signatures, confidence intervals and paired tests.\n"
    "Quick usage: score detokenized output against a reference:\n"
    "    cat output.detok.de | sacrebleu-cpp reference.de";

std::optional<std::string> optional_text(const ParsedArguments& parsed, const std::string& name) {
  return parsed.has(name) ? std::optional(parsed.list(name).front()) : std::nullopt;
}

BleuOptions bleu_options(const ParsedArguments& parsed) {
  BleuOptions bleu;
  bleu.lowercase = parsed.has("bleu_lowercase");
  bleu.force = parsed.has("bleu_force");
  bleu.tokenize = parsed.text("bleu_tokenize", "");
  bleu.smooth_method = smoothing_from_name(parsed.text("bleu_smooth_method", "exp"));
  if (parsed.has("bleu_smooth_value")) bleu.smooth_value = parsed.real("bleu_smooth_value", 0);
  return bleu;
}

ChrfOptions chrf_options(const ParsedArguments& parsed) {
  ChrfOptions chrf;
  chrf.char_order = parsed.integer("chrf_char_order", chrf.char_order);
  chrf.word_order = parsed.integer("chrf_word_order", chrf.word_order);
  chrf.beta = parsed.integer("chrf_beta", chrf.beta);
  chrf.whitespace = parsed.has("chrf_whitespace");
  chrf.lowercase = parsed.has("chrf_lowercase");
  chrf.eps_smoothing = parsed.has("chrf_eps_smoothing");
  return chrf;
}

OutputFormat output_format(const std::string& name) {
  return name == "text" ? OutputFormat::text : name == "latex" ? OutputFormat::latex : OutputFormat::json;
}

}  // namespace

CommandOptions read_options(const std::string& program, const std::vector<std::string>& words) {
  const ParsedArguments parsed = ArgumentParser(program, all_arguments()).parse(words, kVersion, kDescription);
  CommandOptions options;
  options.citation = parsed.has("citation");
  options.list = parsed.has("list");
  options.test_set = optional_text(parsed, "test_set");
  options.language_pair = optional_text(parsed, "langpair");
  options.original_language = optional_text(parsed, "origlang");
  options.subset = optional_text(parsed, "subset");
  options.download = optional_text(parsed, "download");
  options.echo = parsed.list("echo");
  options.references = parsed.list("refs");
  if (parsed.has("input")) options.input = parsed.list("input");
  options.reference_count = parsed.integer("num_refs", 1);
  options.encoding = parsed.text("encoding", options.encoding);
  if (parsed.has("metrics")) options.metrics = parsed.list("metrics");
  options.sentence_level = parsed.has("sentence_level");
  options.bleu = bleu_options(parsed);
  options.chrf = chrf_options(parsed);
  options.ter = {parsed.has("ter_normalized"), parsed.has("ter_no_punct"), parsed.has("ter_asian_support"),
                 parsed.has("ter_case_sensitive")};
  options.confidence = parsed.has("confidence");
  options.confidence_samples = parsed.integer("confidence_n", options.confidence_samples);
  options.paired_randomisation = parsed.has("paired_ar");
  options.paired_bootstrap = parsed.has("paired_bs");
  options.paired_trials = parsed.integer("paired_ar_n", options.paired_trials);
  options.paired_samples = parsed.integer("paired_bs_n", options.paired_samples);
  options.jobs = parsed.integer("paired_jobs", options.jobs);
  options.quiet = parsed.has("quiet");
  options.short_signature = parsed.has("short");
  options.score_only = parsed.has("score_only");
  options.width = parsed.integer("width", options.width);
  options.detail = parsed.has("detail");
  options.no_color = parsed.has("no_color");
  options.format = output_format(parsed.text("format", "json"));
  return options;
}

}  // namespace sacrebleu
