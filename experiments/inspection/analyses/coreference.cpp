#include "experiments/inspection/analyses/coreference.h"

#include "experiments/inspection/analyses/words.h"

namespace attnlab::inspection {

namespace {

/// The first target word linked to a source word; -1: none.
int translation_of(const data::Gold& gold, int source_word) {
  for (const auto& [source, target] : gold.alignment) {
    if (source == source_word) return target;
  }
  return -1;
}

/// Which row and column of merged weights are looked at; -1: this kind cannot tell. `own` is the row's word among the
/// columns.
struct Question {
  int64_t query = -1, key = -1, own = -1;
};

Question question_for(AttentionKind kind, const data::Gold& gold) {
  if (kind == AttentionKind::encoder) return {gold.pronoun, gold.antecedent, gold.pronoun};
  const int pronoun = translation_of(gold, gold.pronoun);
  if (kind == AttentionKind::cross) return {pronoun, gold.antecedent, -1};
  const int antecedent = translation_of(gold, gold.antecedent);
  return {antecedent < pronoun ? pronoun : -1, antecedent, pronoun};
}

/// The tokens whose words name the rows: the decoder's rows are credited to what they predict.
const Tokens& credited_tokens(const Sentence& sentence, AttentionKind kind) {
  return kind == AttentionKind::encoder ? sentence.source : sentence.predicted;
}

}  // namespace

void CoreferenceScorer::add(const SentenceMaps& maps, const data::Gold& gold) {
  for (const KindMaps& kind : maps.kinds) add(maps.sentence, kind, gold);
}

void CoreferenceScorer::add(const Sentence& sentence, const KindMaps& part, const data::Gold& gold) {
  if (gold.pronoun < 0 || gold.antecedent < 0) return;
  const Question asked = question_for(part.kind, gold);
  const Tokens& queries = credited_tokens(sentence, part.kind);
  const Tokens& keys = key_tokens(sentence, part.kind);
  const int64_t columns = word_count(keys);
  if (asked.query < 0 || asked.key < 0 || asked.query >= word_count(queries) || asked.key >= columns) return;
  const torch::Tensor row =
      merge_words(part.weights, queries, keys).select(2, asked.query).contiguous();  // [L, H, columns]
  // Words that the row may see: in the decoder those before the one that it predicts.
  const int64_t candidates = part.kind == AttentionKind::decoder ? asked.query : columns - (asked.own >= 0 ? 1 : 0);
  auto others = row.clone();
  if (asked.own >= 0) others.select(-1, asked.own).fill_(-1);
  const auto best = others.argmax(-1);
  for (size_t l = 0; l < part.layers.size(); ++l) {
    for (size_t h = 0; h < part.heads.size(); ++h) {
      const auto i = static_cast<int64_t>(l), j = static_cast<int64_t>(h);
      Sums& sums = heads_[{part.kind, part.layers[l], part.heads[h]}];
      sums.right += best[i][j].item<int64_t>() == asked.key ? 1 : 0;
      sums.share += row[i][j][asked.key].item<double>();
      sums.chance += 1.0 / static_cast<double>(candidates);
      ++sums.pronouns;
    }
  }
}

std::map<HeadAddress, CoreferenceScore> CoreferenceScorer::heads() const {
  std::map<HeadAddress, CoreferenceScore> scores;
  for (const auto& [address, sums] : heads_) {
    const auto count = static_cast<double>(sums.pronouns);
    scores[address] = {sums.right / count, sums.share / count, sums.chance / count, sums.pronouns};
  }
  return scores;
}

}  // namespace attnlab::inspection
