#include "experiments/spec/metrics.h"

#include <set>

#include "tests/support/catch.h"

namespace attnlab::spec {
namespace {

TEST_CASE("every metric has a name, a label and a line of explanation") {
  std::set<std::string> names, scores;
  for (const MetricVariant& metric : metric_variants()) {
    INFO(metric.name);
    CHECK(names.insert(metric.name).second);
    CHECK(!metric.label.empty());
    CHECK(!metric.description.empty());
    CHECK(metric.description.find('\n') == std::string::npos);
    CHECK(find_metric(metric.name) == &metric);
    if (metric.is_goal) CHECK(metric.better != Better::neither);
    if (metric.score.name.empty()) continue;
    CHECK(scores.insert(metric.score.name).second);
    CHECK(metric.name == "test." + metric.score.name);
    CHECK(metric.is_goal);
    CHECK(find_score(metric.score.name) == &metric);
  }
  CHECK(find_metric("test.rouge") == nullptr);
  CHECK(find_score("rouge") == nullptr);
  CHECK(find_score("") == nullptr);
}

TEST_CASE("what a sweep may compare, and what a run may be asked for") {
  CHECK(names_of(metric_names()) ==
        "test.bleu, test.multi_bleu, test.chrf, test.ter, test.exact, test.perplexity, valid.loss, valid.perplexity");
  CHECK(names_of(score_names()) == "bleu, multi_bleu, chrf, ter");
}

}  // namespace
}  // namespace attnlab::spec
