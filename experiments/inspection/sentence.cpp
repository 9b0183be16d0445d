#include "experiments/inspection/sentence.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace attnlab::inspection {

namespace {

constexpr std::string_view kBlank = "\xE2\x96\x81";  // U+2581

bool only_blanks(std::string_view piece) {
  while (piece.substr(0, kBlank.size()) == kBlank) piece.remove_prefix(kBlank.size());
  return piece.empty();
}

Tokens text_tokens(const tokenizer::Tokenizer& tokenizer, const tokenizer::Ids& ids) {
  std::vector<std::string> pieces;
  for (const int32_t id : ids) pieces.push_back(tokenizer.piece(id));
  const std::vector<int64_t> words = words_of(pieces);
  Tokens tokens;
  for (size_t i = 0; i < ids.size(); ++i) tokens.push_back({pieces[i], ids[i], false, words[i]});
  return tokens;
}

Token special(const tokenizer::Tokenizer& tokenizer, int32_t id) {
  return {tokenizer.piece(id), id, true, -1};
}

}  // namespace

std::vector<int64_t> words_of(const std::vector<std::string>& pieces) {
  std::vector<int64_t> words;
  int64_t word = 0;
  bool has_text = false;
  for (const std::string& piece : pieces) {
    if (has_text && std::string_view(piece).substr(0, kBlank.size()) == kBlank) {
      ++word;
      has_text = false;
    }
    has_text = has_text || !only_blanks(piece);
    words.push_back(word);
  }
  return words;
}

Sentence make_sentence(int64_t id, const tokenizer::Tokenizer& source_tokenizer,
                       const tokenizer::Tokenizer& target_tokenizer, const tokenizer::Ids& source,
                       const tokenizer::Ids& target, std::string source_text, std::string target_text) {
  Sentence sentence;
  sentence.id = id;
  sentence.source_text = std::move(source_text);
  sentence.target_text = std::move(target_text);
  sentence.source = text_tokens(source_tokenizer, source);
  sentence.source.push_back(special(source_tokenizer, source_tokenizer.eos()));
  sentence.predicted = text_tokens(target_tokenizer, target);
  sentence.input = sentence.predicted;
  sentence.input.insert(sentence.input.begin(), special(target_tokenizer, target_tokenizer.bos()));
  sentence.predicted.push_back(special(target_tokenizer, target_tokenizer.eos()));
  return sentence;
}

std::vector<Sentence> given_sentences(const data::Dataset& dataset, const data::Split& split, const data::Pairs& pairs,
                                      int64_t count) {
  std::vector<Sentence> sentences;
  const auto all = static_cast<int64_t>(pairs.size());
  for (size_t i = 0; i < static_cast<size_t>(std::clamp<int64_t>(count, 0, all)); ++i) {
    // Without the end mark, which make_sentence adds.
    const data::PairView pair = pairs[i];
    const tokenizer::Ids source(pair.source.begin(), pair.source.end() - 1);
    const tokenizer::Ids target(pair.target.begin(), pair.target.end() - 1);
    sentences.push_back(make_sentence(static_cast<int64_t>(i), dataset.source_tokenizer, dataset.target_tokenizer,
                                      source, target, split.source[i], split.target[i]));
  }
  return sentences;
}

data::EncodedPair encoded(const Sentence& sentence) {
  data::EncodedPair pair;
  for (const Token& token : sentence.source) pair.source.push_back(token.id);
  for (const Token& token : sentence.predicted) pair.target.push_back(token.id);
  return pair;
}

}  // namespace attnlab::inspection
