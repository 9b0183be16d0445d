#pragma once
/// The spec of a sweep: one JSON file that names what is varied.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/spec/read.h"
#include "experiments/spec/run_config.h"
#include "support/json.h"

namespace attnlab::spec {

enum class Goal { maximize, minimize };

/// Whether a diverged run counts as a failure of the sweep.
enum class OnDivergence { fail, record };

/// Keys that vary together: one key for an axis of `grid`, all keys of `zip`.
struct Axis {
  std::vector<std::string> keys;
  std::vector<std::vector<Json>> rows;  ///< rows[i][k]: the i-th value of keys[k]
};

/// A named list of changes.
struct Variant {
  std::string name;
  Json changes;  ///< dotted path -> value
};

/// What a paper printed for some of the cells.
struct Published {
  struct Row {
    Json cell;                             ///< dotted path (or "variant") -> value: the cells that agree with it
    std::map<std::string, double> values;  ///< metric -> number, at least one
  };
  std::string source;
  std::vector<Row> rows;
};

/// A sweep, read and checked: every key is known, every value has its type and range. Combinations are checked run by
/// run (`plan.h`).
struct SweepSpec {
  std::string name;  ///< default: the file's name without .json
  std::string description;
  RunConfig base;
  std::vector<int64_t> seeds;  ///< different, at least one
  std::vector<Axis> axes;      ///< of grid, then of zip; without the keys that `set` fixes
  std::vector<Variant> variants;
  std::vector<Json> include;  ///< extra cells: dotted path (or "variant") -> value
  std::vector<Json> exclude;  ///< cells of the product that are left out: the same form, partial
  Json set = Json::object();  ///< changes of every cell, made last
  std::string metric = "test.bleu";
  Goal goal = Goal::maximize;
  Json baseline = Json::object();  ///< factor -> value; empty: no baseline. Zipped keys are complete.
  Published published;             ///< no rows: nothing to set beside the results
  int64_t run_cap = 256;           ///< most runs
  OnDivergence on_divergence = OnDivergence::fail;
  Json document;  ///< the whole spec as JSON, base and overrides inside: reading it gives this sweep again
};

/// A top-level key of a spec file.
struct SweepKey {
  std::string name, type, initial, meaning;
};

/// Every top-level key, in the order of the reference page.
const std::vector<SweepKey>& sweep_keys();

/// Reads a spec. Throws attnlab::Error with file and JSON path.
SweepSpec read_sweep_spec(const std::filesystem::path& path, const Overrides& overrides = {});

/// The sweep in `document`; `where` names it in messages, `folder` is where a `base` path starts.
SweepSpec parse_sweep_spec(Json document, const std::string& where, const std::filesystem::path& folder,
                           const Overrides& overrides = {});

}  // namespace attnlab::spec
