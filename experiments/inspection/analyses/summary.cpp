#include "experiments/inspection/analyses/summary.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "experiments/inspection/analyses/rows.h"

namespace attnlab::inspection {

namespace {

constexpr double kBroad = 0.9, kPositional = 0.6;

/// Values of all heads of one kind and sentence and the rows that count: both [L, H, Tq].
struct Counted {
  torch::Tensor values, rows;
};

/// Whether the peak of each row is on the key `offset` away, over rows that have this key.
Counted at_offset(const torch::Tensor& peak, const torch::Tensor& has_choice, int64_t keys, int64_t offset) {
  const auto wanted = torch::arange(peak.size(-1), torch::kInt64) + offset;
  return {peak == wanted, has_choice & (wanted >= 0) & (wanted < keys)};
}

/// Whether the peak of each row is on the key `key`; none if the sequence has no such key.
Counted at_key(const torch::Tensor& peak, const torch::Tensor& has_choice, int64_t key) {
  const torch::Tensor counted = key < 0 ? torch::zeros_like(has_choice) : has_choice;
  return {peak == key, counted};
}

std::string cell(double value) {
  return fmt::format("{:.6g}", value);
}
std::string cell(const std::optional<double>& value) {
  return value ? cell(*value) : std::string();
}

}  // namespace

std::string to_string(Role role) {
  switch (role) {
    case Role::previous:
      return "previous";
    case Role::next:
      return "next";
    case Role::same:
      return "same";
    case Role::eos:
      return "eos";
    case Role::bos:
      return "bos";
    case Role::broad:
      return "broad";
    default:
      return "mixed";
  }
}

Role role_of(const HeadSummary& head) {
  if (head.relative_entropy >= kBroad) return Role::broad;
  const std::pair<double, Role> shares[] = {{head.previous, Role::previous},
                                            {head.next, Role::next},
                                            {head.same, Role::same},
                                            {head.eos, Role::eos},
                                            {head.bos, Role::bos}};
  const auto& best = *std::max_element(std::begin(shares), std::end(shares),
                                       [](const auto& a, const auto& b) { return a.first < b.first; });
  return best.first >= kPositional ? best.second : Role::mixed;
}

void SummaryBuilder::add(const SentenceMaps& maps) {
  for (const KindMaps& kind : maps.kinds) add(maps.sentence, kind);
}

void SummaryBuilder::add(const Sentence& sentence, const KindMaps& part) {
  const torch::Tensor& weights = part.weights;
  const int64_t queries = weights.size(2), keys = weights.size(3);
  const Tokens& key_side = key_tokens(sentence, part.kind);
  const bool has_eos =
      part.kind != AttentionKind::decoder;  // the decoder reads bos and no eos, the source ends with eos
  const auto sight = part.kind == AttentionKind::decoder ? Sight::past : Sight::everything;
  const auto visible = visible_keys(queries, keys, sight);
  const auto alive = weights.sum(-1) > 0;
  const auto has_choice = alive & (visible > 1);
  auto eos_keys = torch::zeros({keys}, torch::kBool);
  if (has_eos) eos_keys[keys - 1] = true;
  auto text_rows = alive.clone();
  if (part.kind == AttentionKind::encoder) text_rows.select(-1, queries - 1).fill_(false);
  const auto peak = row_peak(weights);
  const std::pair<Mean Sums::*, Counted> all[] = {
      {&Sums::entropy, {row_entropy(weights), alive}},
      {&Sums::relative_entropy, {row_relative_entropy(weights, visible).nan_to_num(), has_choice}},
      {&Sums::distance, {row_distance(weights), alive}},
      {&Sums::confidence, {row_maximum(weights, eos_keys), text_rows}},
      {&Sums::special_share, {row_share(weights, special_mask(key_side)), alive}},
      {&Sums::previous, at_offset(peak, has_choice, keys, -1)},
      {&Sums::next, at_offset(peak, has_choice, sight == Sight::past ? 0 : keys, 1)},
      {&Sums::same, at_offset(peak, has_choice, keys, 0)},
      {&Sums::eos, at_key(peak, has_choice, has_eos ? keys - 1 : -1)},
      {&Sums::bos, at_key(peak, has_choice, has_eos ? -1 : 0)},
  };
  for (const auto& [member, counted] : all) {
    const auto sums = (counted.values.to(torch::kDouble) * counted.rows).sum(-1).contiguous();  // [L, H]
    const auto counts = counted.rows.to(torch::kDouble).sum(-1).contiguous();
    const auto* sum = sums.const_data_ptr<double>();
    const auto* count = counts.const_data_ptr<double>();
    for (const int64_t layer : part.layers) {
      for (const int64_t head : part.heads) {
        Mean& mean = heads_[{part.kind, layer, head}].*member;
        mean.sum += *sum++;
        mean.count += *count++;
      }
    }
  }
}

std::vector<HeadSummary> SummaryBuilder::result() const {
  std::vector<HeadSummary> heads;
  for (const auto& [address, sums] : heads_) {
    HeadSummary head;
    head.address = address;
    head.rows = static_cast<int64_t>(sums.entropy.count);
    head.entropy = sums.entropy.value();
    head.relative_entropy = sums.relative_entropy.value();
    head.distance = sums.distance.value();
    head.confidence = sums.confidence.value();
    head.special_share = sums.special_share.value();
    head.previous = sums.previous.value();
    head.next = sums.next.value();
    head.same = sums.same.value();
    head.eos = sums.eos.value();
    head.bos = sums.bos.value();
    head.role = role_of(head);
    heads.push_back(head);
  }
  return heads;
}

std::vector<std::string> summary_columns() {
  return {"rows",
          "entropy",
          "relative_entropy",
          "distance",
          "confidence",
          "special_share",
          "previous",
          "next",
          "same",
          "eos",
          "bos",
          "role",
          "alignment_error_rate",
          "coreference_accuracy",
          "coreference_share",
          "importance",
          "importance_in_layer",
          "loss_change",
          "bleu_change"};
}

std::vector<std::string> summary_cells(const HeadSummary& head) {
  return {fmt::format("{}", head.rows),
          cell(head.entropy),
          cell(head.relative_entropy),
          cell(head.distance),
          cell(head.confidence),
          cell(head.special_share),
          cell(head.previous),
          cell(head.next),
          cell(head.same),
          cell(head.eos),
          cell(head.bos),
          to_string(head.role),
          cell(head.alignment_error_rate),
          cell(head.coreference_accuracy),
          cell(head.coreference_share),
          cell(head.importance),
          cell(head.importance_in_layer),
          cell(head.loss_change),
          cell(head.bleu_change)};
}

}  // namespace attnlab::inspection
