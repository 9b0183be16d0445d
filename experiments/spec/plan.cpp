#include "experiments/spec/plan.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/spec/assign.h"
#include "experiments/spec/describe.h"
#include "experiments/spec/effective.h"
#include "experiments/spec/identity.h"
#include "experiments/spec/metrics.h"
#include "experiments/spec/short_names.h"
#include "experiments/spec/validate.h"
#include "experiments/spec/write.h"
#include "support/error.h"

namespace attnlab::spec {
namespace {

constexpr double kMostCells = 1e6;
constexpr size_t kLongestName = 80;

/// A cell before its seeds.
struct Cell {
  const Variant* variant = nullptr;
  Json changes = Json::object();  ///< by axes, or by an entry of include
};

/// What cells are as configurations. There may be many, so that each is made when it is looked at, all by one table.
class Cells {
 public:
  explicit Cells(const SweepSpec& spec) : spec_(spec), table_(describe(config_)) {}
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;

  RunConfig config_of(const Cell& cell) {
    config_ = spec_.base;
    if (cell.variant != nullptr)
      apply_changes(table_, cell.variant->changes, Place("variants").key(cell.variant->name));
    apply_changes(table_, cell.changes, Place(spec_.name));
    apply_changes(table_, spec_.set, Place("set"));
    return config_;
  }

  Json value_of(const Cell& cell, const RunConfig& config, const std::string& key) {
    if (key == "variant") return name_of(cell);
    const auto written = cell.changes.find(key);
    const Json now = writer_.value(config, key);
    // Groups and shorthands read best as they were written.
    return written != cell.changes.end() && now.is_structured() ? *written : now;
  }

  /// Whether the cell has every value that `pattern` names.
  bool agrees(const Cell& cell, const RunConfig& config, const Json& pattern) {
    Json changes = pattern;
    if (changes.contains("variant")) {
      if (name_of(cell) != changes["variant"]) return false;
      changes.erase("variant");
    }
    config_ = config;
    apply_changes(table_, changes, Place("pattern"));
    return writer_.canonical_text(config_) == writer_.canonical_text(config);
  }

  /// Whether some cell has every value that `pattern` names.
  bool any_agrees(const std::vector<Cell>& cells, const Json& pattern) {
    return std::any_of(cells.begin(), cells.end(),
                       [&](const Cell& cell) { return agrees(cell, config_of(cell), pattern); });
  }

  const SweepSpec& spec() const { return spec_; }
  Writer& writer() { return writer_; }

 private:
  static Json name_of(const Cell& cell) { return cell.variant == nullptr ? Json() : Json(cell.variant->name); }

  const SweepSpec& spec_;
  RunConfig config_;
  Table table_;  ///< of config_
  Writer writer_;
};

void refuse_too_many(const SweepSpec& spec, double runs) {
  throw Error(
      fmt::format("the sweep has {:.0f} runs, and run_cap allows {}; vary less, use fewer seeds, or raise run_cap",
                  runs, spec.run_cap));
}

/// The changes of each element of the product of all axes.
std::vector<Json> product(const SweepSpec& spec) {
  std::vector<Json> cells = {Json::object()};
  for (const Axis& axis : spec.axes) {
    std::vector<Json> longer;
    for (const Json& cell : cells) {
      for (const auto& row : axis.rows) {
        Json next = cell;
        for (size_t k = 0; k < axis.keys.size(); ++k) next[axis.keys[k]] = row[k];
        longer.push_back(std::move(next));
      }
    }
    cells = std::move(longer);
  }
  return cells;
}

std::vector<const Variant*> variants_of(const SweepSpec& spec) {
  std::vector<const Variant*> variants;
  for (const Variant& variant : spec.variants) variants.push_back(&variant);
  if (variants.empty()) variants.push_back(nullptr);
  return variants;
}

const Variant* find_variant(const SweepSpec& spec, const std::string& name) {
  const auto found =
      std::find_if(spec.variants.begin(), spec.variants.end(), [&](const Variant& v) { return v.name == name; });
  return found == spec.variants.end() ? nullptr : &*found;
}

/// The cells of the product that no entry of exclude meets.
std::vector<Cell> product_cells(Cells& cells) {
  const SweepSpec& spec = cells.spec();
  const std::vector<Json> combinations = product(spec);
  std::vector<bool> excluded_something(spec.exclude.size());
  const auto is_excluded = [&](const Cell& cell) {
    if (spec.exclude.empty()) return false;
    const RunConfig config = cells.config_of(cell);
    bool excluded = false;
    for (size_t i = 0; i < spec.exclude.size(); ++i) {
      if (!cells.agrees(cell, config, spec.exclude[i])) continue;
      excluded = excluded_something[i] = true;
    }
    return excluded;
  };
  std::vector<Cell> kept;
  for (const Variant* variant : variants_of(spec)) {
    for (const Json& changes : combinations) {
      Cell cell{variant, changes};
      if (!is_excluded(cell)) kept.push_back(std::move(cell));
    }
  }
  for (size_t i = 0; i < spec.exclude.size(); ++i) {
    // What `--set` fixed may well have emptied an exclusion.
    if (!excluded_something[i] && spec.set.empty()) {
      throw Error(fmt::format("exclude[{}]: no cell agrees with {}; correct or remove it", i, brief(spec.exclude[i])));
    }
  }
  return kept;
}

std::vector<Cell> all_cells(Cells& cells) {
  const SweepSpec& spec = cells.spec();
  double size = static_cast<double>(std::max<size_t>(1, spec.variants.size()));
  for (const Axis& axis : spec.axes) size *= static_cast<double>(axis.rows.size());
  if (size > kMostCells) refuse_too_many(spec, size * static_cast<double>(spec.seeds.size()));
  const bool varied = !spec.axes.empty() || !spec.variants.empty() || spec.include.empty();
  std::vector<Cell> all = varied ? product_cells(cells) : std::vector<Cell>();
  for (const Json& entry : spec.include) {
    Json changes = entry;
    const Variant* variant =
        entry.contains("variant") ? find_variant(spec, entry["variant"].get<std::string>()) : nullptr;
    changes.erase("variant");
    all.push_back({variant, std::move(changes)});
  }
  return all;
}

/// The keys in which cells differ, in the order of the spec.
std::vector<std::string> factor_keys(const SweepSpec& spec) {
  std::vector<std::string> keys;
  const auto add = [&keys](const std::string& key) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  };
  if (!spec.variants.empty()) add("variant");
  for (const Axis& axis : spec.axes) {
    for (const std::string& key : axis.keys) add(key);
  }
  for (const Json& entry : spec.include) {
    for (const auto& [key, value] : entry.items()) add(key);
  }
  return keys;
}

/// What keys are called in the names of folders: as many words from the end, of each the same, as tell them all apart.
std::map<std::string, std::string> folder_names(const std::vector<std::string>& keys) {
  for (size_t count = 1;; ++count) {
    std::map<std::string, std::string> names;
    std::map<std::string, int> uses;
    for (const std::string& key : keys) ++uses[names[key] = path_end(key, count)];
    const bool distinct = std::all_of(uses.begin(), uses.end(), [](const auto& use) { return use.second == 1; });
    if (distinct || count == 8) return names;
  }
}

/// Letters that are safe in file names; those beyond ASCII stay, or names in other scripts could not be told apart.
std::string safe(const std::string& text) {
  std::string name;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain =
        byte >= 128 || std::isalnum(byte) != 0 || std::string_view("._=+-").find(letter) != std::string_view::npos;
    if (plain) {
      name += letter;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  return name;
}

std::string variant_name(const std::vector<Factor>& factors, const std::map<std::string, std::string>& names) {
  std::string text;
  for (const Factor& factor : factors) {
    if (factor.key == "variant" && factor.value.is_null()) continue;
    if (!text.empty()) text += "_";
    text +=
        factor.key == "variant" ? factor_text(factor.value) : names.at(factor.key) + "=" + factor_text(factor.value);
  }
  std::string name = safe(text);
  size_t end = std::min(name.size(), kLongestName);
  while (end < name.size() && end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  name.resize(end);
  // A folder's name must not be hidden or empty.
  while (name.starts_with(".") || name.starts_with("-")) name.erase(0, 1);
  return name.empty() ? "run" : name;
}

void check_metric(const SweepSpec& spec, const RunConfig& config, std::vector<std::string>& wrong) {
  const MetricVariant* metric = find_metric(spec.metric);
  const std::string score = metric == nullptr ? "" : metric->score.name;
  const auto& asked = config.evaluation.metrics;
  if (score.empty() || std::find(asked.begin(), asked.end(), score) != asked.end()) return;
  wrong.push_back(fmt::format("evaluation.metrics: does not name \"{}\", which metric.name compares; add it", score));
}

void check_baseline(Cells& cells, const std::vector<Cell>& all) {
  const Json& baseline = cells.spec().baseline;
  if (baseline.empty() || cells.any_agrees(all, baseline)) return;
  throw Error(fmt::format("baseline: no cell agrees with {}; name values that the sweep has", brief(baseline)));
}

void check_published(Cells& cells, const std::vector<Cell>& all) {
  // What `--set` fixed may well have taken a cell away.
  if (!cells.spec().set.empty()) return;
  const auto& rows = cells.spec().published.rows;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (cells.any_agrees(all, rows[i].cell)) continue;
    throw Error(
        fmt::format("published.rows[{}]: no cell agrees with {}; correct or remove it", i, brief(rows[i].cell)));
  }
}

/// What a paper printed for the cell. Two rows for one cell and metric would leave open which is meant.
std::map<std::string, double> published_for(Cells& cells, const Cell& cell, const RunConfig& config,
                                            std::vector<std::string>& problems) {
  const auto& rows = cells.spec().published.rows;
  std::map<std::string, double> values;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!cells.agrees(cell, config, rows[i].cell)) continue;
    for (const auto& [metric, value] : rows[i].values) {
      if (values.emplace(metric, value).second) continue;
      problems.push_back(
          fmt::format("published.rows[{}]: a second {} for this cell; name more keys in \"cell\"", i, metric));
    }
  }
  return values;
}

/// Keys in which cells differ, and their short names.
struct FactorKeys {
  explicit FactorKeys(const SweepSpec& spec) : keys(factor_keys(spec)), names(folder_names(keys)) {}
  std::vector<std::string> keys;
  std::map<std::string, std::string> names;
};

/// The cell as a run without its seed.
PlannedRun plan_cell(Cells& cells, const Cell& cell, const FactorKeys& factors, const ContentOf& content_of) {
  PlannedRun run;
  run.config = cells.config_of(cell);
  for (const std::string& key : factors.keys) run.factors.push_back({key, cells.value_of(cell, run.config, key)});
  run.variant = variant_name(run.factors, factors.names);
  run.problems = problems(run.config);
  check_metric(cells.spec(), run.config, run.problems);
  run.published = published_for(cells, cell, run.config, run.problems);
  std::string content;
  try {
    if (content_of && run.problems.empty()) content = content_of(run.config);
  } catch (const Error& error) {
    run.problems.emplace_back(error.what());
  }
  run.variant_hash = identity(cells.writer(), run.config, content);
  return run;
}

/// Finds cells that are the same run, whatever the keys say that have no effect.
class SameRuns {
 public:
  SameRuns(Writer& writer, const std::vector<PlannedRun>& runs) : writer_(writer), runs_(runs) {}

  /// The first run of an earlier cell that is the same as `run` but for the seed; null if there is none, then `run` is
  /// remembered as the one that comes next in the plan.
  const PlannedRun* find(const PlannedRun& run) {
    const std::string text = effective_text(run);
    const auto [first, last] = known_.equal_range(std::hash<std::string>()(text));
    for (auto known = first; known != last; ++known) {
      if (effective_text(runs_[known->second]) == text) return &runs_[known->second];
    }
    known_.emplace(std::hash<std::string>()(text), runs_.size());
    return nullptr;
  }

 private:
  std::string effective_text(const PlannedRun& run) {
    RunConfig unseeded = effective(run.config);
    unseeded.seed = 0;
    return writer_.canonical_text(unseeded);
  }

  Writer& writer_;
  const std::vector<PlannedRun>& runs_;
  std::unordered_multimap<size_t, size_t> known_;  ///< hash of the text -> run; the texts themselves are long
};

}  // namespace

std::vector<PlannedRun> plan_runs(const SweepSpec& spec, const ContentOf& content_of) {
  Cells cells(spec);
  const std::vector<Cell> all = all_cells(cells);
  if (all.empty()) throw Error("exclude: it leaves no cell to run");
  const auto count = static_cast<double>(all.size()) * static_cast<double>(spec.seeds.size());
  if (count > static_cast<double>(spec.run_cap)) refuse_too_many(spec, count);
  check_baseline(cells, all);
  check_published(cells, all);
  const FactorKeys factors(spec);
  std::vector<PlannedRun> runs;
  runs.reserve(all.size() * spec.seeds.size());
  SameRuns same_runs(cells.writer(), runs);
  for (const Cell& cell : all) {
    PlannedRun run = plan_cell(cells, cell, factors, content_of);
    if (const PlannedRun* first = same_runs.find(run))
      run.problems.push_back(fmt::format(
          "the same run as the cell {}: what differs has no effect beside the other keys; remove one of them",
          first->variant));
    for (const int64_t seed : spec.seeds) {
      run.seed = run.config.seed = seed;
      run.folder = fmt::format("{}-{}/seed={}", run.variant, run.variant_hash, seed);
      runs.push_back(run);
    }
  }
  return runs;
}

std::string factor_text(const Json& value) {
  if (value.is_null()) return "-";
  return value.is_string() ? value.get<std::string>() : brief(value, 1000);
}

}  // namespace attnlab::spec
