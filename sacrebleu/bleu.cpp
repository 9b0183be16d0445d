#include "sacrebleu/bleu.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "sacrebleu/bleu_formula.h"
#include "sacrebleu/bleu_scorer.h"
#include "sacrebleu/python_format.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

struct LanguageTokenizer {
  std::string tokenizer, language;
};

const std::map<std::string, LanguageTokenizer>& language_tokenizers() {
  static const std::map<std::string, LanguageTokenizer> by_code = {
      {"zh", {"zh", "Chinese"}}, {"ja", {"ja-mecab", "Japanese"}}, {"ko", {"ko-mecab", "Korean"}}};
  return by_code;
}

std::string choose_tokenizer(const BleuOptions& options) {
  const auto found = language_tokenizers().find(options.trg_lang);
  const bool known = found != language_tokenizers().end();
  if (options.tokenize.empty()) return known ? found->second.tokenizer : "13a";
  if (known && options.tokenize != found->second.tokenizer && options.log) {
    options.log(LogLevel::warning, fmt::format("Consider using the '{}' or 'spm' tokenizer for {}.",
                                               found->second.tokenizer, found->second.language));
  }
  return options.tokenize;
}

std::unique_ptr<Tokenizer> make_tokenizer(const BleuOptions& options) {
  const std::string name = choose_tokenizer(options);
  if (name == "spm" && options.log) {
    options.log(LogLevel::warning,
                "Tokenizer 'spm' has been changed to 'flores101', and may be removed in the future.");
  }
  if (options.tokenizers) {
    if (auto tokenizer = options.tokenizers(name)) return tokenizer;
  }
  return make_basic_tokenizer(name);
}

BleuFormula formula_of(const BleuOptions& options) {
  const auto fallback = default_smooth_value(options.smooth_method);
  return {options.smooth_method, options.smooth_value.value_or(fallback.value_or(0.0)), options.effective_order};
}

template <class Number, class Element>
std::vector<Number> numbers(std::span<const Element> values, Number (*convert)(Element)) {
  std::vector<Number> result;
  for (const Element value : values) result.push_back(convert(value));
  return result;
}

template <NumpyRules rules>
double sample(const BleuFormula& formula, std::span<const float> sums) {
  using Number = PromotedNumber<rules>;
  const std::size_t orders = (sums.size() - 2) / 2;
  auto counts = numbers<Number, float>(sums.subspan(2, orders), &Number::from_single);
  auto totals = numbers<Number, float>(sums.subspan(2 + orders), &Number::from_single);
  const auto store = [](Number number) { return Number::from_single(static_cast<float>(number.value())); };
  return formula(counts, totals, static_cast<long>(sums[0]), static_cast<long>(sums[1]), store).score;
}

}  // namespace

BLEU::BLEU(BleuOptions options) : options_(std::move(options)) {
  if (options_.max_ngram_order < 0) {
    throw Error(ErrorKind::value,
                fmt::format("max_ngram_order must be 0 or more, but it is {}", options_.max_ngram_order));
  }
  tokenizer_ = make_tokenizer(options_);
}

BleuScore BLEU::corpus_score(const std::vector<std::string>& hypotheses, const References& references,
                             const CorpusOptions& options) const {
  const Statistics all = statistics(hypotheses, references, options);
  BleuScore result = full_score(all.sum(), all.references);
  add_confidence(result, all, options);
  return result;
}

BleuScore BLEU::sentence_score(const std::string& hypothesis, const std::vector<std::string>& references) const {
  inspect_sentence();
  const Statistics all = statistics(hypothesis, references);
  return full_score(all.sum(), all.references);
}

BleuScore BLEU::compute(std::vector<double> counts, std::vector<double> totals, long sys_len, long ref_len) const {
  const auto result = formula_of(options_)(counts, totals, sys_len, ref_len, [](double number) { return number; });
  BleuScore score;
  score.name = "BLEU";
  score.score = result.score;
  score.bp = result.bp;
  score.precisions = result.precisions;
  score.counts = std::move(counts);
  score.totals = std::move(totals);
  score.sys_len = sys_len;
  score.ref_len = ref_len;
  score.ratio = ref_len == 0 ? 0.0 : static_cast<double>(sys_len) / static_cast<double>(ref_len);
  std::string precisions;
  for (const double precision : score.precisions) precisions += (precisions.empty() ? "" : "/") + fixed(precision, 1);
  score.verbose = fmt::format("{} (BP = {} ratio = {} hyp_len = {} ref_len = {})", precisions, fixed(score.bp, 3),
                              fixed(score.ratio, 3), sys_len, ref_len);
  return score;
}

BleuScore BLEU::full_score(std::span<const double> sums, int references) const {
  const auto counts = sums.subspan(2, orders()), totals = sums.subspan(2 + orders());
  BleuScore result = compute({counts.begin(), counts.end()}, {totals.begin(), totals.end()}, static_cast<long>(sums[0]),
                             static_cast<long>(sums[1]));
  result.signature = signature(references);
  return result;
}

Score BLEU::score(std::span<const double> sums, int references) const {
  return full_score(sums, references);
}

SampleScore BLEU::sample_score(std::span<const float> sums, NumpyRules rules) const {
  const BleuFormula formula = formula_of(options_);
  return {rules == NumpyRules::numpy1 ? sample<NumpyRules::numpy1>(formula, sums)
                                      : sample<NumpyRules::numpy2>(formula, sums),
          false};
}

double BLEU::trial_score(std::span<const double> sums) const {
  const auto counts = sums.subspan(2, orders()), totals = sums.subspan(2 + orders());
  std::vector<double> c(counts.begin(), counts.end()), t(totals.begin(), totals.end());
  // The original's int64 arrays cut a fractional add-k value off.
  const auto store = [](double number) { return std::trunc(number); };
  return formula_of(options_)(c, t, static_cast<long>(sums[0]), static_cast<long>(sums[1]), store).score;
}

Signature BLEU::signature(int references) const {
  Signature signature(references);
  std::string smooth = smoothing_name(options_.smooth_method);
  if (const auto fallback = default_smooth_value(options_.smooth_method)) {
    smooth += '[' + fixed(options_.smooth_value.value_or(*fallback), 2) + ']';
  }
  signature.add("case", "c", options_.lowercase ? "lc" : "mixed");
  signature.add("eff", "e", options_.effective_order ? "yes" : "no");
  signature.add("tok", "tok", tokenizer_->signature());
  signature.add("smooth", "s", smooth);
  return signature;
}

std::string BLEU::preprocess(std::string_view line) const {
  return options_.lowercase ? (*tokenizer_)(rstrip(lower(line))) : (*tokenizer_)(rstrip(line));
}

std::unique_ptr<Scorer> BLEU::scorer(std::size_t) const {
  return std::make_unique<BleuScorer>(tokenizer_, options_.lowercase, orders());
}

std::size_t BLEU::count_tokenised(std::span<const std::string> hypotheses) const {
  return static_cast<std::size_t>(std::count_if(hypotheses.begin(), hypotheses.end(),
                                                [](const std::string& line) { return line.ends_with(" ."); }));
}

void BLEU::inspect(std::size_t tokenised) const {
  if (options_.force || !options_.log || tokenised < 100) return;
  options_.log(LogLevel::warning, "That's 100 lines that end in a tokenized period ('.')");
  options_.log(LogLevel::warning, "It looks like you forgot to detokenize your test data, which may hurt your score.");
  options_.log(LogLevel::warning,
               "If you insist your data is detokenized, or don't care, you can suppress this message with the "
               "`force` parameter.");
}

void BLEU::inspect_sentence() const {
  if (!options_.effective_order && options_.log) {
    options_.log(LogLevel::warning, "It is recommended to enable `effective_order` for sentence-level BLEU.");
  }
}

std::string smoothing_name(Smoothing smoothing) {
  switch (smoothing) {
    case Smoothing::none:
      return "none";
    case Smoothing::floor:
      return "floor";
    case Smoothing::add_k:
      return "add-k";
    case Smoothing::exp:
      return "exp";
  }
  return "";
}

Smoothing smoothing_from_name(const std::string& name) {
  for (const auto smoothing : {Smoothing::none, Smoothing::floor, Smoothing::add_k, Smoothing::exp}) {
    if (name == smoothing_name(smoothing)) return smoothing;
  }
  throw Error(ErrorKind::value, fmt::format("unknown smoothing method '{}': choose none, floor, add-k or exp", name));
}

std::optional<double> default_smooth_value(Smoothing smoothing) {
  if (smoothing == Smoothing::floor) return 0.1;
  if (smoothing == Smoothing::add_k) return 1.0;
  return std::nullopt;
}

}  // namespace sacrebleu
