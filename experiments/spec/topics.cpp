#include "experiments/spec/topics.h"

#include <algorithm>

#include "experiments/spec/metrics.h"
#include "experiments/spec/variants.h"
#include "modules/attention/problems.h"
#include "modules/norms/registry.h"
#include "modules/positions/registry.h"

namespace attnlab::spec {
namespace {

/// Whether a kernel can work with a position method.
bool go_together(const modules::AttentionVariant& kernel, const modules::PositionVariant& method) {
  modules::TransformerOptions model;
  model.encoder_positions.type = model.decoder_positions.type = "none";
  const size_t anyway = modules::problems(kernel, model).size();
  model.encoder_positions.type = method.name;
  return modules::problems(kernel, model).size() == anyway;
}

std::vector<Entry> attention() {
  using modules::AttentionKind;
  std::vector<Entry> entries;
  for (const modules::AttentionVariant& kernel : modules::attention_variants()) {
    Entry entry{kernel.name, kernel.description, kernel.paper, {}, {}};
    if (kernel.traits.stands_in(AttentionKind::encoder)) entry.stands.emplace_back("encoder self-attention");
    if (kernel.traits.stands_in(AttentionKind::decoder)) entry.stands.emplace_back("decoder self-attention");
    if (kernel.traits.stands_in(AttentionKind::cross)) entry.stands.emplace_back("cross-attention");
    if (!kernel.traits.dropout) entry.refuses.emplace_back("dropout.attention above 0");
    for (const modules::PositionVariant& method : modules::position_variants()) {
      if (!go_together(kernel, method)) entry.refuses.push_back(method.name + " positions");
    }
    entries.push_back(entry);
  }
  return entries;
}

std::vector<Entry> positions() {
  std::vector<Entry> entries;
  for (const modules::PositionVariant& method : modules::position_variants()) {
    Entry entry{
        method.name, method.description, method.paper, {"model.encoder_positions", "model.decoder_positions"}, {}};
    if (method.traits.even_width) entry.refuses.emplace_back("an odd d_model");
    if (method.traits.even_d_k) entry.refuses.emplace_back("an odd d_k");
    if (method.traits.bounded) {
      entry.refuses.emplace_back("sequences beyond max_length, unless `beyond` says what to do with them");
      entry.refuses.emplace_back("`beyond` = interpolate in the decoder");
    }
    for (const modules::AttentionVariant& kernel : modules::attention_variants()) {
      if (!go_together(kernel, method)) entry.refuses.push_back(kernel.name + " attention");
    }
    entries.push_back(entry);
  }
  return entries;
}

std::vector<Entry> norms() {
  std::vector<Entry> entries;
  for (const modules::NormVariant& norm : modules::norm_variants()) {
    entries.push_back({norm.name, norm.description, norm.paper, {"model.norm.type"}, {}});
  }
  for (const modules::PlacementVariant& placement : modules::placement_variants()) {
    entries.push_back({placement.name, placement.description, placement.paper, {"model.norm.placement"}, {}});
  }
  return entries;
}

std::vector<Entry> metrics() {
  std::vector<Entry> entries;
  for (const MetricVariant& metric : metric_variants()) {
    if (!metric.is_goal) continue;
    const std::string better = metric.better == Better::higher ? "; higher is better" : "; lower is better";
    entries.push_back({metric.name, metric.description + better, "", {"metric.name"}, {}});
  }
  return entries;
}

/// The names that a key may have; none is no entry.
std::vector<Entry> names_at(const std::string& key) {
  std::vector<Entry> entries;
  for (const ChoiceGroup& group : choice_groups()) {
    if (group.path != key) continue;
    for (const Choice& choice : group.choices) {
      if (!choice.name.empty()) entries.push_back({choice.name, choice.meaning, "", {key}, {}});
    }
  }
  return entries;
}

}  // namespace

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = {
      {"attention", "kernels that compute attention", attention},
      {"positions", "how the model learns of places", positions},
      {"norms", "norms, and how they are put together with residuals", norms},
      {"metrics", "what a run records at its end", metrics},
      {"probes", "what else is measured of a run", [] { return names_at("evaluation.probes"); }},
      {"generators", "corpora that need no files", [] { return names_at("data.generator"); }},
  };
  return all;
}

}  // namespace attnlab::spec
