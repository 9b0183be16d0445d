#include "experiments/spec/sweep_spec.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/spec/assign.h"
#include "experiments/spec/describe.h"
#include "experiments/spec/metrics.h"
#include "support/error.h"

namespace attnlab::spec {
namespace {

constexpr int64_t kMostSeeds = 10'000;
constexpr int64_t kMostRuns = 100'000;

[[noreturn]] void refuse_type(const Place& place, const std::string& expected, const Json& value) {
  place.refuse(fmt::format("expected {}, got {}", expected, in_words(value)));
}

std::string text_of(const Json& value, const Place& place) {
  if (!value.is_string()) refuse_type(place, "a text", value);
  return value.get<std::string>();
}

std::string name_of(const Json& value, const Place& place) {
  const std::string name = text_of(value, place);
  if (name.empty()) place.refuse("expected a name that is not empty");
  if (name.find('\0') != std::string::npos) place.refuse("the name contains a NUL character; remove it");
  if (name.find_first_of("\n\r") != std::string::npos) place.refuse("the name contains a line break; remove it");
  return name;
}

void check_object(const Json& value, const Place& place, const char* expected) {
  if (!value.is_object()) refuse_type(place, expected, value);
}

void check_keys(const Json& object, const std::vector<std::string>& known, const Place& place) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) refuse_key(key, known, place);
  }
}

/// Checks keys, types and ranges of changes without keeping them.
void check_changes(const Json& changes, const Place& place) {
  RunConfig scratch;
  apply_changes(describe(scratch), changes, place);
  if (changes.contains("seed")) place.key("seed").refuse("seeds of a sweep are given by \"seeds\"");
}

/// The fields that a change of `key` reaches.
std::set<std::string> fields_of(const std::string& key, const Json& value) {
  RunConfig scratch;
  const Table table = describe(scratch);
  std::set<std::string> paths;
  for (const Assignment& assignment : resolve(table, key, value, Place("set"))) paths.insert(assignment.path);
  return paths;
}

/// Reads the members of one document into a SweepSpec.
class Reader {
 public:
  Reader(Json document, Place root, std::filesystem::path folder)
      : document_(std::move(document)), root_(std::move(root)), folder_(std::move(folder)) {}

  SweepSpec read() {
    check_object(document_, root_, "an object (the spec of a sweep)");
    std::vector<std::string> known;
    for (const SweepKey& key : sweep_keys()) known.push_back(key.name);
    for (const char* key : {"data", "tokenizer", "model", "training", "decoding", "evaluation", "inspection"}) {
      if (!document_.contains(key)) continue;
      root_.key(key).refuse(
          "a key of one run, not of a sweep: put it under \"base\", or train the file with `attnlab train`");
    }
    check_keys(document_, known, root_);
    read_texts();
    read_base();
    read_seeds();
    if (const Json* set = find("set")) check_changes(spec_.set = *set, root_.key("set"));
    read_grid();
    read_zip();
    read_variants();
    read_cells("include", spec_.include);
    read_cells("exclude", spec_.exclude);
    read_metric();
    read_baseline();
    read_published();
    read_limits();
    spec_.document = std::move(document_);
    return std::move(spec_);
  }

 private:
  const Json* find(const char* key) const {
    const auto found = document_.find(key);
    return found == document_.end() ? nullptr : &*found;
  }

  void read_texts() {
    if (const Json* schema = find("$schema")) text_of(*schema, root_.key("$schema"));
    if (const Json* name = find("name")) spec_.name = name_of(*name, root_.key("name"));
    if (const Json* text = find("description")) spec_.description = text_of(*text, root_.key("description"));
  }

  /// A base that is a path is read and put into the document.
  void read_base() {
    Place place = root_.key("base");
    if (!document_.contains("base")) return;
    Json& base = document_["base"];
    if (base.is_string()) {
      const std::filesystem::path path = folder_ / base.get<std::string>();
      base = read_json(path, place.text());
      place = Place(path.string());
    }
    apply(describe(spec_.base), "", base, place);
  }

  void read_seeds() {
    const Json* seeds = find("seeds");
    const Place place = root_.key("seeds");
    if (seeds == nullptr) {
      spec_.seeds = {spec_.base.seed};
      return;
    }
    if (find("base") != nullptr && find("base")->contains("seed")) {
      root_.key("base").key("seed").refuse("the spec has \"seeds\" too; remove one of them");
    }
    if (seeds->is_array()) {
      read_seed_list(*seeds, place);
    } else {
      const int64_t count = whole_number(*seeds, place, "a list of seeds or their count");
      if (count < 1 || count > kMostSeeds)
        place.refuse(fmt::format("expected a count from 1 to {}, got {}", kMostSeeds, count));
      for (int64_t seed = 1; seed <= count; ++seed) spec_.seeds.push_back(seed);
    }
  }

  void read_seed_list(const Json& seeds, const Place& place) {
    if (seeds.empty()) place.refuse("the list is empty; give at least one seed");
    for (size_t i = 0; i < seeds.size(); ++i) {
      const int64_t seed = whole_number(seeds[i], place.item(i), "a whole number of at least 0");
      if (seed < 0) refuse_type(place.item(i), "a whole number of at least 0", seeds[i]);
      if (std::find(spec_.seeds.begin(), spec_.seeds.end(), seed) != spec_.seeds.end()) {
        place.item(i).refuse(fmt::format("the seed {} stands twice", seed));
      }
      spec_.seeds.push_back(seed);
    }
  }

  /// Whether `set` fixes everything that an axis of `key` would vary.
  bool is_set(const std::string& key, const Json& value) const {
    std::set<std::string> fixed;
    for (const auto& [path, fixed_value] : spec_.set.items()) fixed.merge(fields_of(path, fixed_value));
    const std::set<std::string> varied = fields_of(key, value);
    return std::includes(fixed.begin(), fixed.end(), varied.begin(), varied.end());
  }

  void check_values(const std::string& key, const Json& values, const Place& place) const {
    if (!values.is_array() || values.empty()) refuse_type(place, "a list of values, not empty", values);
    for (size_t i = 0; i < values.size(); ++i) {
      RunConfig scratch;
      apply(describe(scratch), key, values[i], place.item(i));
    }
    if (key == "seed") place.refuse("seeds of a sweep are given by \"seeds\"");
  }

  void read_grid() {
    const Json* grid = find("grid");
    if (grid == nullptr) return;
    const Place place = root_.key("grid");
    check_object(*grid, place, "an object of lists such as {\"model.heads\": [1, 2]}");
    for (const auto& [key, values] : grid->items()) {
      check_values(key, values, place.key(key));
      for (size_t i = 0; i < values.size(); ++i) {
        if (std::find(values.begin(), values.begin() + static_cast<int64_t>(i), values[i]) !=
            values.begin() + static_cast<int64_t>(i)) {
          place.key(key).item(i).refuse(in_words(values[i]) + " stands twice");
        }
      }
      if (is_set(key, values.front())) continue;
      Axis axis{{key}, {}};
      for (const Json& value : values) axis.rows.push_back({value});
      spec_.axes.push_back(std::move(axis));
    }
  }

  void read_zip() {
    const Json* zip = find("zip");
    if (zip == nullptr) return;
    const Place place = root_.key("zip");
    check_object(*zip, place, "an object of lists such as {\"model.heads\": [1, 2], \"model.d_k\": [64, 32]}");
    Axis axis;
    size_t length = 0;
    for (const auto& [key, values] : zip->items()) {
      check_values(key, values, place.key(key));
      if (length == 0) length = values.size();
      if (values.size() != length) {
        place.key(key).refuse(fmt::format("{} values, but the first list of zip has {}; they must be equally long",
                                          values.size(), length));
      }
      if (is_axis(key)) place.key(key).refuse("the key is an axis of grid too; remove one");
      if (is_set(key, values.front())) continue;
      axis.keys.push_back(key);
      axis.rows.resize(length);
      for (size_t i = 0; i < length; ++i) axis.rows[i].push_back(values[i]);
    }
    if (!axis.keys.empty()) spec_.axes.push_back(std::move(axis));
  }

  bool is_axis(const std::string& key) const {
    return std::any_of(spec_.axes.begin(), spec_.axes.end(), [&](const Axis& axis) {
      return std::find(axis.keys.begin(), axis.keys.end(), key) != axis.keys.end();
    });
  }

  void add_variant(const std::string& name, const Json& changes, const Place& place) {
    check_changes(changes, place);
    for (const Variant& variant : spec_.variants) {
      if (variant.name == name) place.refuse(fmt::format("the name {} stands twice", brief(name)));
    }
    for (const auto& [key, value] : changes.items()) {
      if (is_axis(key)) place.key(key).refuse("the key is an axis of grid or zip too, which would undo this change");
    }
    spec_.variants.push_back({name, changes});
  }

  void read_variants() {
    const Json* variants = find("variants");
    if (variants == nullptr) return;
    const Place place = root_.key("variants");
    if (variants->is_object()) {
      for (const auto& [name, changes] : variants->items())
        add_variant(name_of(name, place.key(name)), changes, place.key(name));
      return;
    }
    if (!variants->is_array())
      refuse_type(place, "a list of {\"name\": ..., \"set\": {...}}, or an object name -> changes", *variants);
    for (size_t i = 0; i < variants->size(); ++i) {
      const Json& variant = (*variants)[i];
      check_object(variant, place.item(i), "an object {\"name\": ..., \"set\": {...}}");
      check_keys(variant, {"name", "set"}, place.item(i));
      if (!variant.contains("name")) place.item(i).refuse("\"name\" is missing");
      const std::string name = name_of(variant["name"], place.item(i).key("name"));
      add_variant(name, variant.value("set", Json::object()), place.item(i).key("set"));
    }
  }

  /// Checks a cell or a partial match: dotted keys and "variant".
  void check_cell(const Json& cell, const Place& place) const {
    check_object(cell, place, "an object such as {\"model.heads\": 8}");
    if (cell.empty()) place.refuse("the object is empty; name at least one key");
    Json changes = cell;
    changes.erase("variant");
    check_changes(changes, place);
    if (!cell.contains("variant")) return;
    const std::string name = text_of(cell["variant"], place.key("variant"));
    std::vector<std::string> names;
    for (const Variant& variant : spec_.variants) names.push_back(variant.name);
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const std::string near = nearest(name, names);
    place.key("variant").refuse(fmt::format("there is no variant {}{}", brief(name),
                                            near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
  }

  void read_cells(const char* key, std::vector<Json>& cells) {
    const Json* list = find(key);
    if (list == nullptr) return;
    const Place place = root_.key(key);
    if (!list->is_array()) refuse_type(place, "a list of objects such as [{\"model.heads\": 8}]", *list);
    for (size_t i = 0; i < list->size(); ++i) {
      check_cell((*list)[i], place.item(i));
      cells.push_back((*list)[i]);
    }
  }

  void read_metric() {
    const Json* metric = find("metric");
    if (metric == nullptr) return;
    const Place place = root_.key("metric");
    check_object(*metric, place, "an object such as {\"name\": \"test.bleu\", \"goal\": \"maximize\"}");
    check_keys(*metric, {"name", "goal"}, place);
    if (metric->contains("name")) spec_.metric = choice((*metric)["name"], metric_names(), place.key("name"));
    spec_.goal = find_metric(spec_.metric)->better == Better::higher ? Goal::maximize : Goal::minimize;
    if (metric->contains("goal")) {
      const std::string goal = choice((*metric)["goal"], {{"maximize", ""}, {"minimize", ""}}, place.key("goal"));
      spec_.goal = goal == "maximize" ? Goal::maximize : Goal::minimize;
    }
  }

  static std::string choice(const Json& value, const std::vector<Choice>& choices, const Place& place) {
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    std::vector<std::string> names;
    for (const Choice& option : choices) names.push_back(option.name);
    if (std::find(names.begin(), names.end(), text) != names.end()) return text;
    const std::string near = nearest(text, names);
    refuse_type(
        place,
        fmt::format("one of {}{}", names_of(choices), near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)),
        value);
  }

  /// The factors that the baseline fixes: what it names, with the other keys of a zip row that it picks.
  void read_baseline() {
    const Json* baseline = find("baseline");
    if (baseline == nullptr) return;
    const Place place = root_.key("baseline");
    if (baseline->is_object() && baseline->empty()) return;
    check_cell(*baseline, place);
    for (const auto& [key, value] : baseline->items()) {
      if (key != "variant" && is_set(key, value)) continue;  // fixed for all runs: nothing left to compare
      if (!is_factor(key)) {
        place.key(key).refuse(
            "the key is not varied by grid, zip, variants or include, so it cannot tell a baseline apart");
      }
      spec_.baseline[key] = value;
    }
    for (const Axis& axis : spec_.axes) complete_baseline(axis, place);
  }

  bool is_factor(const std::string& key) const {
    return (key == "variant" && !spec_.variants.empty()) || is_axis(key) ||
           std::any_of(spec_.include.begin(), spec_.include.end(),
                       [&](const Json& cell) { return cell.contains(key); });
  }

  void complete_baseline(const Axis& axis, const Place& place) {
    if (axis.keys.size() < 2) return;
    const Json named = spec_.baseline;
    std::vector<const std::vector<Json>*> matching;
    bool touched = false;
    for (const auto& row : axis.rows) {
      bool equal = true;
      for (size_t k = 0; k < axis.keys.size(); ++k) {
        if (!named.contains(axis.keys[k])) continue;
        touched = true;
        equal = equal && named[axis.keys[k]] == row[k];
      }
      if (equal) matching.push_back(&row);
    }
    if (!touched) return;
    if (matching.size() != 1) {
      place.refuse(fmt::format("{} rows of zip agree with it; it must name exactly one ({})", matching.size(),
                               fmt::join(axis.keys, ", ")));
    }
    for (size_t k = 0; k < axis.keys.size(); ++k) spec_.baseline[axis.keys[k]] = (*matching.front())[k];
  }

  void read_published() {
    const Json* published = find("published");
    if (published == nullptr) return;
    const Place place = root_.key("published");
    check_object(*published, place, "an object {\"source\": ..., \"rows\": [...]}");
    if (published->empty()) return;
    check_keys(*published, {"source", "rows"}, place);
    for (const char* key : {"source", "rows"})
      if (!published->contains(key)) place.refuse(fmt::format("\"{}\" is missing", key));
    spec_.published.source = name_of((*published)["source"], place.key("source"));
    const Json& rows = (*published)["rows"];
    if (!rows.is_array() || rows.empty())
      refuse_type(place.key("rows"), R"(a list such as [{"cell": {"model.heads": 1}, "test.bleu": 24.9}])", rows);
    for (size_t i = 0; i < rows.size(); ++i) read_published_row(rows[i], place.key("rows").item(i));
  }

  void read_published_row(const Json& row, const Place& place) {
    check_object(row, place, R"(an object such as {"cell": {"model.heads": 1}, "test.bleu": 24.9})");
    if (!row.contains("cell"))
      place.refuse("\"cell\" is missing: the keys and values that tell whose numbers these are");
    check_cell(row["cell"], place.key("cell"));
    Published::Row read{row["cell"], {}};
    for (const auto& [key, value] : row.items()) {
      if (key == "cell") continue;
      choice(key, metric_names(), place);
      if (!value.is_number()) refuse_type(place.key(key), "a number", value);
      read.values[key] = value.get<double>();
    }
    if (read.values.empty()) place.refuse("no number; give at least one metric such as \"test.bleu\": 24.9");
    spec_.published.rows.push_back(std::move(read));
  }

  void read_limits() {
    if (const Json* cap = find("run_cap")) {
      const Place place = root_.key("run_cap");
      const std::string expected = fmt::format("a whole number from 1 to {}", kMostRuns);
      spec_.run_cap = whole_number(*cap, place, expected);
      if (spec_.run_cap < 1 || spec_.run_cap > kMostRuns) refuse_type(place, expected, *cap);
    }
    if (const Json* word = find("on_divergence")) {
      const std::string text = choice(*word, {{"fail", ""}, {"record", ""}}, root_.key("on_divergence"));
      spec_.on_divergence = text == "fail" ? OnDivergence::fail : OnDivergence::record;
    }
  }

  Json document_;
  Place root_;
  std::filesystem::path folder_;
  SweepSpec spec_;
};

/// Writes the command line's changes into the document. They are checked here, so that messages name the option.
void override_document(Json& document, const Overrides& overrides) {
  const std::set<std::string> own = {"name", "description", "seeds", "metric", "baseline", "run_cap", "on_divergence"};
  for (const std::string& text : overrides.set) {
    const auto [key, value] = parse_set(text);
    const bool seeds = key == "seed" || key == "seeds";
    if (seeds && document.contains("base") && document["base"].is_object()) document["base"].erase("seed");
    if (key == "seed") {
      document["seeds"] = Json::array({value});
    } else if (own.contains(key)) {
      document[key] = value;
    } else {
      RunConfig scratch;
      apply(describe(scratch), key, value, Place("--set " + key));
      document["set"][key] = value;
    }
  }
  std::map<std::string, std::string> axes;
  for (const std::string& text : overrides.sweep) {
    const auto [key, values] = parse_sweep(text);
    if (const auto [other, added] = axes.emplace(key, text); !added)
      throw Error(fmt::format("--sweep {} and --sweep {}: give one of them", other->second, text));
    for (const Json& value : values) {
      RunConfig scratch;
      apply(describe(scratch), key, value, Place("--sweep " + key));
    }
    for (const std::string& fixed : overrides.set) {
      if (parse_set(fixed).key == key)
        throw Error(fmt::format("--sweep {} and --set {}: give one of them", text, fixed));
    }
    document["grid"][key] = values;
    if (document.contains("set") && document["set"].is_object()) document["set"].erase(key);
  }
}

}  // namespace

SweepSpec parse_sweep_spec(Json document, const std::string& where, const std::filesystem::path& folder,
                           const Overrides& overrides) {
  const Place root(where);
  check_object(document, root, "an object (the spec of a sweep)");
  for (const char* part : {"grid", "set"}) {
    if (document.contains(part)) check_object(document[part], root.key(part), "an object");
  }
  override_document(document, overrides);
  return Reader(std::move(document), root, folder).read();
}

SweepSpec read_sweep_spec(const std::filesystem::path& path, const Overrides& overrides) {
  SweepSpec spec = parse_sweep_spec(read_json(path, "the spec"), path.string(), path.parent_path(), overrides);
  if (spec.name.empty()) spec.name = path.stem().string();
  spec.document["name"] = spec.name;
  return spec;
}

}  // namespace attnlab::spec
