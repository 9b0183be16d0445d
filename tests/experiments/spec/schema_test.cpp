// The schema for editors and the reader accept the same documents, apart from combinations of keys.

#include "experiments/spec/schema.h"

#include "experiments/spec/sweep_spec.h"
#include "support/error.h"
#include "tests/experiments/spec/probes.h"
#include "tests/experiments/spec/schema_validator.h"
#include "tests/support/catch.h"

namespace attnlab::spec {
namespace {

bool reader_accepts(const Json& document) {
  try {
    parse_sweep_spec(document, "s.json", ".");
    return true;
  } catch (const Error&) {
    return false;
  }
}

const Json& root() {
  static const Json parsed = parse_json(schema(), "schema");
  return parsed;
}

void compare(const Json& document) {
  const bool by_reader = reader_accepts(document);
  const bool by_schema = tests::is_valid(root(), root(), document);
  if (by_reader != by_schema) {
    FAIL_CHECK(document.dump() << ": the reader says " << by_reader << ", the schema " << by_schema);
  }
}

/// {"a": {"b": value}} for "a.b".
Json nested(const std::string& path, const Json& value) {
  const size_t dot = path.find('.');
  Json object = Json::object();
  object[path.substr(0, dot)] = dot == std::string::npos ? value : nested(path.substr(dot + 1), value);
  return object;
}

/// A document with `value` at one place.
Json at(const std::string& section, const std::string& key, const Json& value) {
  Json document = Json::object();
  document[section][key] = value;
  return document;
}

std::vector<std::string> paths_and_groups() {
  RunConfig config;
  std::vector<std::string> paths = describe(config).all_paths();
  for (const char* more : {"data", "model", "model.norm", "model.positions", "model.encoder_positions",
                           "training.schedule", "nothing", "model.nothing", "model."}) {
    paths.emplace_back(more);
  }
  return paths;
}

TEST_CASE("schema and reader agree on every key of a run and every kind of value") {
  for (const std::string& path : paths_and_groups()) {
    for (const Json& value : probes::everything()) compare(Json::object({{"base", nested(path, value)}}));
  }
}

TEST_CASE("schema and reader agree on changes of every key") {
  for (const std::string& path : paths_and_groups()) {
    if (path == "seed") continue;
    for (const Json& value : probes::everything()) {
      compare(at("set", path, value));
      compare(at("grid", path, Json::array({value})));
    }
  }
}

TEST_CASE("schema and reader agree on every allowed name") {
  RunConfig config;
  for (const Field& field : describe(config).fields) {
    for (const Choice& choice : field.choices) {
      const bool list = std::holds_alternative<std::vector<std::string>*>(field.member);
      const Json document =
          Json::object({{"base", nested(field.path, list ? Json::array({choice.name}) : Json(choice.name))}});
      compare(document);
      CHECK(reader_accepts(document));
    }
  }
}

TEST_CASE("schema and reader agree on the keys of a sweep") {
  const std::vector<const char*> documents = {
      R"({})",
      R"({"name": ""})",
      R"({"name": 1})",
      R"({"$schema": "x", "description": ""})",
      R"({"nmae": "x"})",
      R"({"seeds": 0})",
      R"({"seeds": 3})",
      R"({"seeds": 3.5})",
      R"({"seeds": 10001})",
      R"({"seeds": [1, 1]})",
      R"({"seeds": []})",
      R"({"seeds": [0, 9223372036854775807]})",
      R"({"seeds": [-1]})",
      R"({"seeds": ["1"]})",
      R"({"seeds": null})",
      R"({"grid": {}})",
      R"({"grid": []})",
      R"({"grid": {"model.heads": []}})",
      R"({"grid": {"model.heads": 4}})",
      R"({"grid": {"model.heads": [1, 1]}})",
      R"({"zip": {"model.heads": [1, 1]}})",
      R"({"zip": {"model.heads": []}})",
      R"({"zip": {"modelheads": [1]}})",
      R"({"variants": []})",
      R"({"variants": {}})",
      R"({"variants": [{}]})",
      R"({"variants": [{"name": "a"}]})",
      R"({"variants": [{"name": ""}]})",
      R"({"variants": [{"name": "a", "set": 1}]})",
      R"({"variants": [{"name": "a", "set": {"model.heads": 4}, "x": 1}]})",
      R"({"variants": {"a": {"model.heads": 4}}})",
      R"({"variants": {"": {}}})",
      R"({"variants": {"a": {"model.heads": "4"}}})",
      R"({"variants": 1})",
      R"({"include": [{"model.heads": 4}]})",
      R"({"include": [{}]})",
      R"({"include": {}})",
      R"({"include": [{"variant": 1}]})",
      R"({"exclude": [{"model.heads": 0}]})",
      R"({"variants": {"a": {}}, "include": [{"variant": "a"}]})",
      R"({"metric": {}})",
      R"({"metric": {"name": "test.bleu", "goal": "minimize"}})",
      R"({"metric": {"name": "bleu"}})",
      R"({"metric": {"goal": "x"}})",
      R"({"metric": "test.bleu"})",
      R"({"metric": {"nmae": "x"}})",
      R"({"baseline": {}})",
      R"({"baseline": 1})",
      R"({"grid": {"model.heads": [1, 2]}, "baseline": {"model.heads": 1}})",
      R"({"baseline": {"x": 1}})",
      R"({"published": {}})",
      R"({"published": 1})",
      R"({"published": {"source": "a"}})",
      R"({"published": {"source": "a", "rows": []}})",
      R"({"published": {"source": "a", "rows": [{"cell": {"model.heads": 4}, "test.bleu": 1}]}})",
      R"({"published": {"source": "", "rows": [{"cell": {"model.heads": 4}, "test.bleu": 1}]}})",
      R"({"published": {"source": "a", "rows": [{"cell": {"model.heads": 4}}]}})",
      R"({"published": {"source": "a", "rows": [{"cell": {}, "test.bleu": 1}]}})",
      R"({"published": {"source": "a", "rows": [{"cell": {"model.heads": 4}, "test.bleu": "1"}]}})",
      R"({"published": {"source": "a", "rows": [{"cell": {"model.heads": 4}, "bleu": 1}]}})",
      R"({"published": {"source": "a", "rows": [{"test.bleu": 1}]}})",
      R"({"run_cap": 0})",
      R"({"run_cap": 1})",
      R"({"run_cap": 100001})",
      R"({"run_cap": 2.0})",
      R"({"run_cap": "2"})",
      R"({"on_divergence": "fail"})",
      R"({"on_divergence": "record"})",
      R"({"on_divergence": ""})",
      R"({"on_divergence": true})",
      R"({"base": 1})",
      R"({"base": null})",
      R"({"base": []})",
      R"([])",
      R"(1)"};
  for (const char* document : documents) compare(parse_json(document, "s.json"));
}

TEST_CASE("the schema offers defaults and descriptions to editors") {
  const Json& heads = root()["definitions"]["run"]["properties"]["model"]["properties"]["heads"];
  CHECK(heads["default"] == 8);
  CHECK(!heads["description"].get<std::string>().empty());
}

}  // namespace
}  // namespace attnlab::spec
