#pragma once
/// From a sweep's spec to the list of its runs.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiments/spec/sweep_spec.h"

namespace attnlab::spec {

/// One thing in which the cells of a sweep differ.
struct Factor {
  std::string key;  ///< dotted path as the spec names it, or "variant"
  Json value;       ///< null: the cell has no variant
};

/// One run.
struct PlannedRun {
  std::vector<Factor> factors;  ///< the same keys in the same order for all runs of a sweep; the seed is not among them
  std::string variant;          ///< short readable name of the cell: "heads=4_placement=post"
  int64_t seed = 1;
  RunConfig config;                         ///< resolved, seed included
  std::string variant_hash;                 ///< 8 hex digits without the seed (`identity.h`)
  std::string folder;                       ///< "<variant>-<hash>/seed=<n>"
  std::map<std::string, double> published;  ///< metric -> what a paper printed for the cell (`Published`)
  std::vector<std::string> problems;        ///< why it cannot run; empty: it can
};

/// Gives a hash of the files that a run reads (data, tokenizer models) for its identity. May throw attnlab::Error.
using ContentOf = std::function<std::string(const RunConfig&)>;

/// All runs, cell by cell in the order of the spec (the last axis fastest, include at the end), seeds within a cell. A
/// cell that cannot work has `problems`, among them that another cell is the same run; nothing is thrown for it, so
/// that all can be shown together. Throws attnlab::Error for faults of the whole: more runs than run_cap, an exclude, a
/// baseline or a published row that meets no cell.
std::vector<PlannedRun> plan_runs(const SweepSpec& spec, const ContentOf& content_of = {});

/// A factor's value for a person: texts without quotes, "-" for null.
std::string factor_text(const Json& value);

}  // namespace attnlab::spec
