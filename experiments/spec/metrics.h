#pragma once
/// What a run records at its end, metric by metric: the place to edit when one is added. Spec, tables, pictures and
/// significance tests read it here.

#include <string>
#include <vector>

#include "experiments/spec/variants.h"

namespace attnlab::spec {

/// Which numbers of a metric are good ones.
enum class Better { higher, lower, neither };

/// One metric.
struct MetricVariant {
  std::string name;         ///< its key in a run's record: "test.bleu"
  std::string label;        ///< its name in tables and pictures: "BLEU"
  std::string description;  ///< one line for a person
  Better better = Better::neither;
  int decimals = 2;
  bool is_count = false;      ///< printed without decimals, with commas: "1,234,567"
  bool is_goal = false;       ///< metric.name of a sweep may name it, and so may `published`
  bool is_column = true;      ///< the table has a column of it where some cell has a value
  bool is_explained = false;  ///< the label does not say it all: below that column the description stands
  /// The score of evaluation.metrics that must be asked for to have it; without a name: every run has it that can.
  Choice score = {};
};

/// Every metric that is known beforehand, in the order in which tables show them. Probes record others beside them.
const std::vector<MetricVariant>& metric_variants();

/// The metric of that name, or null.
const MetricVariant* find_metric(const std::string& name);

std::vector<Choice> metric_names();  ///< metric.name of a sweep
std::vector<Choice> score_names();   ///< evaluation.metrics

/// The metric that has the score of that name ("ter": test.ter), or null.
const MetricVariant* find_score(const std::string& score);

}  // namespace attnlab::spec
