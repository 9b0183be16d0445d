#include "tests/sacrebleu/cases/make_metric.h"

namespace sacrebleu::cases {
namespace {

/// Options that a case does not understand must not pass unseen.
void require_known(const Json& options, const std::vector<std::string>& known) {
  for (const auto& [key, value] : options.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw std::runtime_error("unknown metric option " + key);
  }
}

}  // namespace

BleuOptions bleu_options(const Json& options) {
  require_known(options, {"lowercase", "force", "tokenize", "smooth_method", "smooth_value", "max_ngram_order",
                          "effective_order", "trg_lang"});
  BleuOptions result;
  result.lowercase = options.value("lowercase", false);
  result.force = options.value("force", false);
  if (options.contains("tokenize") && !options["tokenize"].is_null()) result.tokenize = options["tokenize"];
  result.smooth_method = smoothing_from_name(options.value("smooth_method", "exp"));
  if (options.contains("smooth_value") && !options["smooth_value"].is_null())
    result.smooth_value = options["smooth_value"];
  result.max_ngram_order = options.value("max_ngram_order", 4);
  result.effective_order = options.value("effective_order", false);
  result.trg_lang = options.value("trg_lang", "");
  return result;
}

ChrfOptions chrf_options(const Json& options) {
  require_known(options, {"char_order", "word_order", "beta", "lowercase", "whitespace", "eps_smoothing"});
  ChrfOptions result;
  result.char_order = options.value("char_order", 6);
  result.word_order = options.value("word_order", 0);
  result.beta = options.value("beta", 2);
  result.lowercase = options.value("lowercase", false);
  result.whitespace = options.value("whitespace", false);
  result.eps_smoothing = options.value("eps_smoothing", false);
  return result;
}

TerOptions ter_options(const Json& options) {
  require_known(options, {"normalized", "no_punct", "asian_support", "case_sensitive"});
  return {options.value("normalized", false), options.value("no_punct", false), options.value("asian_support", false),
          options.value("case_sensitive", false)};
}

std::unique_ptr<Metric> make_metric(const std::string& metric, const Json& options) {
  if (metric == "bleu") return std::make_unique<BLEU>(bleu_options(options));
  if (metric == "chrf") return std::make_unique<CHRF>(chrf_options(options));
  if (metric == "ter") return std::make_unique<TER>(ter_options(options));
  throw std::runtime_error("unknown metric " + metric);
}

Streams reference_streams(const Json& streams) {
  Streams result;
  for (const auto& stream : streams) {
    auto& lines = result.emplace_back();
    for (const auto& line : stream)
      lines.push_back(line.is_null() ? std::nullopt : std::optional(line.get<std::string>()));
  }
  return result;
}

std::string python_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::index:
      return "IndexError";
    case ErrorKind::type:
      return "TypeError";
    case ErrorKind::value:
      return "ValueError";
    case ErrorKind::zero_division:
      return "ZeroDivisionError";
    case ErrorKind::runtime:
      return "RuntimeError";
    case ErrorKind::unicode:
      return "UnicodeDecodeError";
    case ErrorKind::file:
      return "FileNotFoundError";
  }
  return "";
}

}  // namespace sacrebleu::cases
