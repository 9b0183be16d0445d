#include "experiments/spec/identity.h"

#include <map>

#include "experiments/spec/read.h"
#include "experiments/spec/write.h"
#include "support/sha256.h"
#include "tests/experiments/spec/probes.h"
#include "tests/support/catch.h"

namespace attnlab::spec {
namespace {

RunConfig parse(const std::string& text) {
  return parse_run_config(parse_json(text, "c"), "c");
}

TEST_CASE("how a setting is written does not matter, what it is does") {
  const std::string plain =
      identity(parse(R"({"data": {"generator": "copy"}, "model": {"dropout": {"residual": 0}}})"));
  CHECK(
      plain ==
      identity(parse(
          R"({"model": {"dropout": {"residual": 0.0}, "heads": 8.0}, "data": {"generator": "copy", "train": "train"}})")));
  CHECK(plain != identity(parse(R"({"data": {"generator": "copy"}, "model": {"dropout": {"residual": 0.05}}})")));
}

TEST_CASE("every key but the seed is part of the identity") {
  std::map<std::string, std::string> seen;  // identity -> path
  RunConfig defaults;
  seen[identity(defaults)] = "the defaults";
  for (const Field& field : describe(defaults).fields) {
    INFO(field.path);
    if (field.choices.size() == 1) continue;
    RunConfig changed;
    probes::set(changed, field.path, probes::other_value(*describe(changed).find(field.path)));
    if (field.path == "seed") {
      CHECK(identity(changed) == identity(RunConfig()));
    } else {
      const bool is_new = seen.emplace(identity(changed), field.path).second;
      CHECK(is_new);
    }
  }
}

TEST_CASE("content is part of the identity and stands for the paths of its files") {
  RunConfig here, there;
  here.data.dir = "a";
  there.data.dir = "b";
  CHECK(identity(here) != identity(there));
  CHECK(identity(here, "1234") == identity(there, "1234"));
  CHECK(identity(here, "1234") != identity(here, "1235"));
}

TEST_CASE("the identity is SHA-256 of the canonical JSON") {
  RunConfig config;
  config.seed = 0;
  CHECK(identity(config) == sha256_hex(canonical_json(config).dump() + "\n").substr(0, 8));
  config.data.dir = "a \"b\"\n\\ é";
  config.tokenizer.user_symbols = {"<a>", "<b>"};
  config.training.schedule.peak = 1e-7;
  Writer writer;
  for (const RunConfig& each : {config, RunConfig(), config})
    CHECK(writer.canonical_text(each) == canonical_json(each).dump());
  CHECK(writer.value(config, "model.layers") == value_at(config, "model.layers"));
}

/// A configuration that knew one key at first, and then two more.
struct Grown {
  int64_t heads = 8;
  std::string task = "translation";
  double rate = 0.5;

  Table table() {
    Table keys;
    keys.add("model.heads", &heads, "attention heads");
    keys.add("task", &task, "what is learnt").added();
    keys.add("model.rate", &rate, "how fast").at_least(0).added();
    return keys;
  }
};

TEST_CASE("a key that was added later is in the canonical JSON only where it has another value than its default") {
  Grown initial, given;
  const auto canonical = [&] { return canonical_json(given.table(), initial.table()).dump(); };
  CHECK(canonical() == R"({"model":{"heads":8}})");
  given.heads = 4;
  CHECK(canonical() == R"({"model":{"heads":4}})");
  given.task = "language_model";
  CHECK(canonical() == R"({"model":{"heads":4},"task":"language_model"})");
  given.rate = 0.25;
  CHECK(canonical() == R"({"model":{"heads":4,"rate":0.25},"task":"language_model"})");
  given = Grown();
  given.rate = 0.5;
  CHECK(canonical() == R"({"model":{"heads":8}})");
}

}  // namespace
}  // namespace attnlab::spec
