#include "experiments/spec/plan.h"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/spec/assign.h"
#include "experiments/spec/describe.h"
#include "experiments/spec/effective.h"
#include "experiments/spec/identity.h"
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
  RunConfig config;
};

Cell make_cell(const SweepSpec& spec, const Variant* variant, Json changes) {
  Cell cell{variant, std::move(changes), spec.base};
  const Table table = describe(cell.config);
  if (variant != nullptr) apply_changes(table, variant->changes, Place("variants").key(variant->name));
  apply_changes(table, cell.changes, Place(spec.name));
  apply_changes(table, spec.set, Place("set"));
  return cell;
}

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

Json value_of(const Cell& cell, const std::string& key) {
  if (key == "variant") return cell.variant == nullptr ? Json() : Json(cell.variant->name);
  const auto written = cell.changes.find(key);
  const Json now = value_at(cell.config, key);
  // Groups and shorthands read best as they were written.
  return written != cell.changes.end() && now.is_structured() ? *written : now;
}

/// Whether the cell has every value that `pattern` names.
bool agrees(const Cell& cell, const Json& pattern) {
  RunConfig wanted = cell.config;
  Json changes = pattern;
  if (changes.contains("variant")) {
    if (value_of(cell, "variant") != changes["variant"]) return false;
    changes.erase("variant");
  }
  apply_changes(describe(wanted), changes, Place("pattern"));
  return to_json(wanted) == to_json(cell.config);
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

std::vector<Cell> product_cells(const SweepSpec& spec) {
  const std::vector<Json> combinations = product(spec);
  std::vector<bool> excluded_something(spec.exclude.size());
  std::vector<Cell> cells;
  for (const Variant* variant : variants_of(spec)) {
    for (const Json& changes : combinations) {
      Cell cell = make_cell(spec, variant, changes);
      bool excluded = false;
      for (size_t i = 0; i < spec.exclude.size(); ++i) {
        if (!agrees(cell, spec.exclude[i])) continue;
        excluded = excluded_something[i] = true;
      }
      if (!excluded) cells.push_back(std::move(cell));
    }
  }
  for (size_t i = 0; i < spec.exclude.size(); ++i) {
    // What `--set` fixed may well have emptied an exclusion.
    if (!excluded_something[i] && spec.set.empty()) {
      throw Error(fmt::format("exclude[{}]: no cell agrees with {}; correct or remove it", i, brief(spec.exclude[i])));
    }
  }
  return cells;
}

std::vector<Cell> all_cells(const SweepSpec& spec) {
  double size = static_cast<double>(std::max<size_t>(1, spec.variants.size()));
  for (const Axis& axis : spec.axes) size *= static_cast<double>(axis.rows.size());
  if (size > kMostCells) refuse_too_many(spec, size * static_cast<double>(spec.seeds.size()));
  const bool varied = !spec.axes.empty() || !spec.variants.empty() || spec.include.empty();
  std::vector<Cell> cells = varied ? product_cells(spec) : std::vector<Cell>();
  for (const Json& entry : spec.include) {
    Json changes = entry;
    const Variant* variant =
        entry.contains("variant") ? find_variant(spec, entry["variant"].get<std::string>()) : nullptr;
    changes.erase("variant");
    cells.push_back(make_cell(spec, variant, std::move(changes)));
  }
  return cells;
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

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char letter : path) {
    if (letter == '.') {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

/// The last `count` words of a path; a closing "type" says nothing and is left out.
std::string tail(const std::string& key, size_t count) {
  std::vector<std::string> parts = split(key);
  if (parts.size() > 1 && parts.back() == "type") parts.pop_back();
  const size_t first = parts.size() > count ? parts.size() - count : 0;
  return fmt::format("{}", fmt::join(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(), "."));
}

/// Short names of keys: as few words from the end as tell them all apart.
std::map<std::string, std::string> short_names(const std::vector<std::string>& keys) {
  for (size_t count = 1;; ++count) {
    std::map<std::string, std::string> names;
    std::map<std::string, int> uses;
    for (const std::string& key : keys) ++uses[names[key] = tail(key, count)];
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
  for (const std::string score : {"bleu", "chrf", "ter"}) {
    const auto& metrics = config.evaluation.metrics;
    if (spec.metric != "test." + score || std::find(metrics.begin(), metrics.end(), score) != metrics.end()) continue;
    wrong.push_back(fmt::format("evaluation.metrics: does not name \"{}\", which metric.name compares; add it", score));
  }
}

void check_baseline(const SweepSpec& spec, const std::vector<Cell>& cells) {
  if (spec.baseline.empty()) return;
  if (std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) { return agrees(cell, spec.baseline); })) return;
  throw Error(fmt::format("baseline: no cell agrees with {}; name values that the sweep has", brief(spec.baseline)));
}

void check_published(const SweepSpec& spec, const std::vector<Cell>& cells) {
  for (size_t i = 0; i < spec.published.rows.size(); ++i) {
    const Json& wanted = spec.published.rows[i].cell;
    if (std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) { return agrees(cell, wanted); })) continue;
    // What `--set` fixed may well have taken the cell away.
    if (!spec.set.empty()) continue;
    throw Error(fmt::format("published.rows[{}]: no cell agrees with {}; correct or remove it", i, brief(wanted)));
  }
}

/// What a paper printed for the cell. Two rows for one cell and metric would leave open which is meant.
std::map<std::string, double> published_for(const SweepSpec& spec, const Cell& cell,
                                            std::vector<std::string>& problems) {
  std::map<std::string, double> values;
  for (size_t i = 0; i < spec.published.rows.size(); ++i) {
    const Published::Row& row = spec.published.rows[i];
    if (!agrees(cell, row.cell)) continue;
    for (const auto& [metric, value] : row.values) {
      if (values.emplace(metric, value).second) continue;
      problems.push_back(
          fmt::format("published.rows[{}]: a second {} for this cell; name more keys in \"cell\"", i, metric));
    }
  }
  return values;
}

/// The cell as a run without its seed.
PlannedRun plan_cell(const SweepSpec& spec, const Cell& cell, const std::vector<std::string>& keys,
                     const ContentOf& content_of) {
  PlannedRun run;
  for (const std::string& key : keys) run.factors.push_back({key, value_of(cell, key)});
  run.variant = variant_name(run.factors, short_names(keys));
  run.config = cell.config;
  run.problems = problems(cell.config);
  check_metric(spec, cell.config, run.problems);
  run.published = published_for(spec, cell, run.problems);
  std::string content;
  try {
    if (content_of && run.problems.empty()) content = content_of(cell.config);
  } catch (const Error& error) {
    run.problems.emplace_back(error.what());
  }
  run.variant_hash = identity(cell.config, content);
  return run;
}

}  // namespace

std::vector<PlannedRun> plan_runs(const SweepSpec& spec, const ContentOf& content_of) {
  const std::vector<Cell> cells = all_cells(spec);
  if (cells.empty()) throw Error("exclude: it leaves no cell to run");
  const auto count = static_cast<double>(cells.size()) * static_cast<double>(spec.seeds.size());
  if (count > static_cast<double>(spec.run_cap)) refuse_too_many(spec, count);
  check_baseline(spec, cells);
  check_published(spec, cells);
  const std::vector<std::string> keys = factor_keys(spec);
  std::map<std::string, std::string> seen;  // canonical configuration -> name of its first cell
  std::vector<PlannedRun> runs;
  for (const Cell& cell : cells) {
    PlannedRun run = plan_cell(spec, cell, keys, content_of);
    RunConfig unseeded = effective(run.config);
    unseeded.seed = 0;
    const auto [first, is_new] = seen.emplace(to_json(unseeded).dump(), run.variant);
    if (!is_new)
      run.problems.push_back(fmt::format(
          "the same run as the cell {}: what differs has no effect beside the other keys; remove one of them",
          first->second));
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
