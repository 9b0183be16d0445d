#include "sacrebleu/chrf_scorer.h"

#include <algorithm>

#include <fmt/format.h>

#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

/// string.punctuation: what is neither letter, digit, space nor control in ASCII.
bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

bool is_one_character(std::string_view word) {
  std::size_t at = 0;
  next_code_point(word, at);
  return at == word.size();
}

}  // namespace

void ChrfScorer::statistics(std::string_view hypothesis, std::span<const std::string_view> references, std::size_t line,
                            std::span<double> row) {
  if (references.empty()) {
    throw Error(lines_ == 1 ? ErrorKind::value : ErrorKind::index,
                fmt::format("line {} has no reference: chrF needs at least one", line + 1));
  }
  interner_.clear();
  lowered_.clear();
  lowered_.reserve(references.size() + 1);
  read(hypothesis, hypothesis_);
  counts_.resize(row.size());
  const std::size_t characters = 3 * static_cast<std::size_t>(std::max(options_.char_order, 0));
  double best = -1;
  for (const auto reference : references) {
    read(reference, reference_);
    const std::span<double> counts(counts_);
    compare(hypothesis_.characters, reference_.characters, options_.char_order, counts.first(characters));
    compare(hypothesis_.words, reference_.words, options_.word_order, counts.subspan(characters));
    // A single reference needs no score, except that epsilon smoothing may refuse to give one.
    const double score = references.size() == 1 && !options_.eps_smoothing ? 0.0 : formula_(counts_);
    if (score > best) {
      best = score;
      std::copy(counts_.begin(), counts_.end(), row.begin());
    }
  }
}

void ChrfScorer::read(std::string_view line, Symbols& symbols) {
  if (options_.lowercase) {
    lowered_.push_back(lower(line));
    line = lowered_.back();
  }
  symbols.characters.clear();
  for (std::size_t at = 0; at < line.size();) {
    const char32_t c = next_code_point(line, at);
    if (options_.whitespace || !is_space(c)) symbols.characters.push_back(c);
  }
  if (options_.word_order > 0) read_words(line, symbols);
}

/// A last ASCII punctuation character is split off, or else a first one; only one, and never from a single character.
void ChrfScorer::read_words(std::string_view line, Symbols& symbols) {
  symbols.words.clear();
  words_.clear();
  split(line, words_);
  for (const auto word : words_) {
    if (is_one_character(word)) {
      symbols.words.push_back(interner_.id(word));
    } else if (is_ascii_punctuation(word.back())) {
      symbols.words.push_back(interner_.id(word.substr(0, word.size() - 1)));
      symbols.words.push_back(interner_.id(word.substr(word.size() - 1)));
    } else if (is_ascii_punctuation(word.front())) {
      symbols.words.push_back(interner_.id(word.substr(0, 1)));
      symbols.words.push_back(interner_.id(word.substr(1)));
    } else {
      symbols.words.push_back(interner_.id(word));
    }
  }
}

void ChrfScorer::compare(const std::vector<std::uint32_t>& hypothesis, const std::vector<std::uint32_t>& reference,
                         int orders, std::span<double> counts) {
  hypothesis_prefix_.assign(hypothesis.size() + 1, NgramTrie::kRoot);
  reference_prefix_.assign(reference.size() + 1, NgramTrie::kRoot);
  for (std::size_t n = 1; static_cast<int>(n) <= orders; ++n) {
    const double in_hypothesis = hypothesis.size() < n ? 0.0 : static_cast<double>(hypothesis.size() - n + 1);
    const double in_reference = reference.size() < n ? 0.0 : static_cast<double>(reference.size() - n + 1);
    const auto out = counts.subspan(3 * (n - 1), 3);
    out[0] = in_reference > 0 ? in_hypothesis : 0.0;
    out[1] = in_reference;
    out[2] = match(hypothesis, reference, n);
  }
}

/// Matches of order n. An n-gram can only be shared when both (n-1)-grams in it are, so positions drop out quickly.
double ChrfScorer::match(const std::vector<std::uint32_t>& hypothesis, const std::vector<std::uint32_t>& reference,
                         std::size_t n) {
  if (hypothesis.size() < n || reference.size() < n) return 0;
  table_.clear(hypothesis.size());
  const auto both_present = [](const std::vector<std::uint32_t>& prefix, std::size_t i) {
    return prefix[i] != kAbsent && prefix[i + 1] != kAbsent;
  };
  std::uint32_t nodes = 0;
  for (std::size_t i = 0; i + n <= hypothesis.size(); ++i) {
    if (!both_present(hypothesis_prefix_, i)) {
      hypothesis_prefix_[i] = kAbsent;
      continue;
    }
    auto& node = table_.insert(hypothesis_prefix_[i], hypothesis[i + n - 1]);
    ++node.limit;
    hypothesis_prefix_[i] = node.id;
    nodes = std::max(nodes, node.id);
  }
  matched_.assign(nodes + 1, 0);
  double matches = 0;
  for (std::size_t i = 0; i + n <= reference.size(); ++i) {
    auto* node = both_present(reference_prefix_, i) ? table_.find(reference_prefix_[i], reference[i + n - 1]) : nullptr;
    reference_prefix_[i] = node == nullptr ? kAbsent : node->id;
    if (node == nullptr) continue;
    if (node->used++ < node->limit) ++matches;
    matched_[node->id] = 1;
  }
  for (std::size_t i = 0; i + n <= hypothesis.size(); ++i) {
    if (hypothesis_prefix_[i] != kAbsent && matched_[hypothesis_prefix_[i]] == 0) hypothesis_prefix_[i] = kAbsent;
  }
  return matches;
}

}  // namespace sacrebleu
