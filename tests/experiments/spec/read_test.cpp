#include "experiments/spec/read.h"

#include <sys/stat.h>

#include "experiments/spec/describe.h"
#include "experiments/spec/write.h"
#include "tests/experiments/spec/probes.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::spec {
namespace {

using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;

/// A configuration with `members` beside a generator.
RunConfig parse(const std::string& members, const Overrides& overrides = {}) {
  const std::string data = R"({"data": {"generator": "copy"}})";
  Json json = parse_json(data, "c.json");
  json.merge_patch(parse_json(members, "c.json"));
  return parse_run_config(json, "c.json", overrides);
}

std::string refusal(const std::string& members, const Overrides& overrides = {}) {
  return error_message([&] { parse(members, overrides); });
}

TEST_CASE("defaults are the paper's base model") {
  const RunConfig config = parse("{}");
  CHECK(config.model.d_model == 512);
  CHECK(config.model.encoder_layers == 6);
  CHECK(config.training.schedule.type == "noam");
  CHECK(config.decoding.alpha == 0.6);
}

TEST_CASE("every key is read, and the written configuration reads back to the same one") {
  RunConfig defaults;
  defaults.data.generator = "copy";
  RunConfig scratch;
  for (const Field& field : describe(scratch).fields) {
    INFO(field.path);
    if (field.choices.size() == 1) continue;  // one name only: there is no other to read
    RunConfig config = defaults;
    const Json value = probes::other_value(*describe(config).find(field.path));
    CHECK(value_at(config, field.path) != value);
    RunConfig changed = defaults;
    probes::set(changed, field.path, value);
    CHECK(value_at(changed, field.path) == value);
    RunConfig again;
    probes::set(again, "", to_json(changed));
    CHECK(to_json(again) == to_json(changed));
    CHECK(to_json(again).dump() != to_json(defaults).dump());
  }
}

TEST_CASE("whole numbers are taken for reals, and the type written back is the key's") {
  CHECK(to_json(parse(R"({"model": {"dropout": {"residual": 0}}})"))["model"]["dropout"]["residual"].dump() == "0.0");
  CHECK(parse(R"({"training": {"schedule": {"peak": 1e-4}}})").training.schedule.peak == 1e-4);
  CHECK(to_json(parse(R"({"model": {"heads": 8.0}})"))["model"]["heads"].dump() == "8");
  CHECK(to_json(parse(R"({"decoding": {"alpha": -0.0}})"))["decoding"]["alpha"].dump() == "0.0");
}

TEST_CASE("wrong types are refused with the JSON path, what was expected and what came") {
  CHECK(refusal(R"({"training": {"schedule": {"peak": "1e-4"}}})") ==
        "c.json: training.schedule.peak: expected a number above 0 and at most 1000000000, got the text \"1e-4\"; "
        "numbers are written "
        "without quotes");
  CHECK(refusal(R"({"model": {"heads": 8.5}})") ==
        "c.json: model.heads: expected a whole number of at least 1 and at most 1000000, got 8.5");
  CHECK(mentions(refusal(R"({"model": {"heads": "8"}})"), "model.heads", "whole number", "the text \"8\""));
  CHECK(mentions(refusal(R"({"model": {"layers": true}})"), "model.layers", "whole number", "got true"));
  CHECK(mentions(refusal(R"({"model": {"attention_bias": "false"}})"), "attention_bias", "true or false",
                 "without quotes"));
  CHECK(mentions(refusal(R"({"model": {"attention_bias": 1}})"), "attention_bias", "true or false, got 1"));
  CHECK(mentions(refusal(R"({"data": {"train": 2016}})"), "data.train", "a text", "got 2016"));
  CHECK(mentions(refusal(R"({"model": 5})"), "c.json: model: expected an object", "d_model", "got 5"));
  CHECK(mentions(error_message([] { parse_run_config(parse_json("[]", "c.json"), "c.json"); }),
                 "c.json: expected an object"));
  CHECK(mentions(error_message([] { parse_run_config(parse_json(R"({"seed": null})", "c.json"), "c.json"); }), "seed",
                 "got null"));
}

TEST_CASE("numbers outside their range are refused") {
  CHECK(mentions(refusal(R"({"model": {"heads": 0}})"), "model.heads", "of at least 1", "got 0"));
  CHECK(mentions(refusal(R"({"model": {"dropout": {"residual": 1}}})"), "model.dropout.residual", "below 1", "got 1"));
  CHECK(mentions(refusal(R"({"training": {"schedule": {"peak": 0}}})"), "peak", "above 0"));
}

TEST_CASE("seeds are exact from 0 to the largest 64-bit number, or refused") {
  CHECK(parse(R"({"seed": 0})").seed == 0);
  CHECK(parse(R"({"seed": 42.0})").seed == 42);
  CHECK(parse(R"({"seed": 2147483648})").seed == 2147483648);
  CHECK(parse(R"({"seed": 9007199254740993})").seed == 9007199254740993);
  CHECK(parse(R"({"seed": 9223372036854775807})").seed == 9223372036854775807);
  CHECK(mentions(refusal(R"({"seed": 9223372036854775808})"), "seed", "the largest possible is 9223372036854775807"));
  CHECK(mentions(refusal(R"({"seed": 18446744073709551616})"), "seed", "too large to be exact"));
  CHECK(mentions(refusal(R"({"seed": 9007199254740993.0})"), "seed"));
  CHECK(mentions(refusal(R"({"seed": -1})"), "seed", "at least 0", "got -1"));
  CHECK(mentions(refusal(R"({"seed": "42"})"), "seed", "without quotes"));
}

TEST_CASE("an unknown key is refused with its path and the nearest known key") {
  CHECK(mentions(refusal(R"({"model": {"haeds": 8}})"), "c.json: model.haeds: unknown key", "did you mean \"heads\"?"));
  CHECK(mentions(refusal(R"({"modle": {}})"), "c.json: modle: unknown key", "did you mean \"model\"?"));
  CHECK(mentions(refusal(R"({"training": {"schedule": {"zzzzzzzz": 1}}})"), "training.schedule.zzzzzzzz",
                 "the keys here are type, factor, peak"));
  CHECK(mentions(refusal(R"({"model": {"source_vocab": 8}})"), "model.source_vocab: unknown key"));
  CHECK(mentions(refusal(R"({"model.heads": 8})"), "[\"model.heads\"]: unknown key"));
  CHECK(mentions(refusal(R"({"model": {"": 8}})"), "model[\"\"]: unknown key"));
}

TEST_CASE("an unknown name is refused with the known ones") {
  CHECK(mentions(refusal(R"({"model": {"norm": {"placement": "posst"}}})"), "model.norm.placement", "one of post, pre",
                 "did you mean \"post\"?"));
  CHECK(mentions(refusal(R"({"data": {"generator": "revers"}})"), "data.generator", "did you mean \"reverse\"?"));
  CHECK(
      mentions(refusal(R"({"training": {"device": "gpu"}})"), "training.device", "auto, cpu, cuda, cuda:N", "\"gpu\""));
  CHECK(parse(R"({"training": {"device": "cuda:1"}})").training.device == "cuda:1");
}

TEST_CASE("lists hold different texts, not empty ones") {
  CHECK(parse(R"({"tokenizer": {"user_symbols": ["<mask>", "a,b", "'q'"]}})").tokenizer.user_symbols.size() == 3);
  CHECK(mentions(refusal(R"({"tokenizer": {"user_symbols": ["a", ""]}})"), "tokenizer.user_symbols[1]", "empty"));
  CHECK(mentions(refusal(R"({"tokenizer": {"user_symbols": ["a", "b", "a"]}})"), "tokenizer.user_symbols[2]",
                 "stands twice"));
  CHECK(
      mentions(refusal(R"({"evaluation": {"metrics": ["blue"]}})"), "evaluation.metrics[0]", "did you mean \"bleu\"?"));
  CHECK(mentions(refusal(R"({"evaluation": {"metrics": []}})"), "evaluation.metrics", "a list, not empty"));
  CHECK(
      mentions(refusal(R"({"evaluation": {"metrics": "bleu"}})"), "evaluation.metrics", "a list", "the text \"bleu\""));
}

TEST_CASE("shorthands set all their keys, and a longer key beats them wherever it stands") {
  const RunConfig config = parse(R"({"model": {
    "encoder_layers": 3, "layers": 2,
    "positions": {"type": "learned", "max_length": 600}, "decoder_positions": {"type": "none"},
    "dropout": 0.25}})");
  CHECK(config.model.encoder_layers == 3);
  CHECK(config.model.decoder_layers == 2);
  CHECK(config.model.encoder_positions.type == "learned");
  CHECK(config.model.decoder_positions.type == "none");
  CHECK(config.model.decoder_positions.max_length == 600);
  CHECK(config.model.dropout.attention == 0.25);
  CHECK(config.model.dropout.residual == 0.25);
  CHECK(parse(R"({"model": {"dropout": {"attention": 0.5}}})").model.dropout.residual == 0.1);
}

TEST_CASE("faults inside shorthands are named as they were written") {
  CHECK(mentions(refusal(R"({"model": {"positions": {"tpye": "none"}}})"), "model.positions.tpye",
                 "did you mean \"type\"?"));
  CHECK(
      mentions(refusal(R"({"model": {"positions": {"max_length": 0}}})"), "model.positions.max_length", "at least 1"));
  CHECK(mentions(refusal(R"({"model": {"positions": "none"}})"), "model.positions: expected an object", "type"));
  CHECK(mentions(refusal(R"({"model": {"dropout": "0.1"}})"), "model.dropout", "a number"));
}

TEST_CASE("--set beats the file; values are JSON, or else texts") {
  CHECK(parse(R"({"model": {"heads": 2}})", {{"model.heads=8"}, {}}).model.heads == 8);
  CHECK(parse("{}", {{"model.positions.type=learned"}, {}}).model.decoder_positions.type == "learned");
  CHECK(parse("{}", {{"model.dropout=0"}, {}}).model.dropout.attention == 0);
  CHECK(parse("{}", {{"data.train=2016"}, {}}).data.train == "2016");
  CHECK(parse("{}", {{"data.train=\"2016\""}, {}}).data.train == "2016");
  CHECK(parse("{}", {{"data.source=a=b"}, {}}).data.source == "a=b");
  CHECK(parse("{}", {{R"(evaluation.metrics=["bleu","ter"])"}, {}}).evaluation.metrics.size() == 2);
  CHECK(parse("{}", {{"model.heads=2", "model.heads=4"}, {}}).model.heads == 4);
  CHECK(parse("{}", {{"seed=7"}, {}}).seed == 7);
}

TEST_CASE("a faulty --set is refused by name") {
  CHECK(mentions(refusal("{}", {{"model.haeds=8"}, {}}), "--set model.haeds", "did you mean \"model.heads\"?"));
  CHECK(mentions(refusal("{}", {{"model.heads=eight"}, {}}), "--set model.heads", "whole number", "\"eight\""));
  CHECK(mentions(refusal("{}", {{"model.heads=1e400"}, {}}), "--set model.heads", "whole number"));
  CHECK(mentions(refusal("{}", {{"model.heads"}, {}}), "--set", "key=value"));
  CHECK(mentions(refusal("{}", {{"=8"}, {}}), "--set", "key=value"));
  CHECK(mentions(refusal("{}", {{"data.train=\xFF"}, {}}), "--set data.train", "UTF-8"));
  CHECK(mentions(refusal("{}", {{R"(model.norm={"placement":"pre","placement":"post"})"}, {}}), "--set model.norm",
                 "stands twice"));
  CHECK(mentions(refusal("{}", {{}, {"model.heads=1,2"}}), "--sweep", "one run has no axes"));
}

TEST_CASE("the spec of a sweep is not taken for a run") {
  CHECK(mentions(refusal(R"({"base": {}, "grid": {}})"), "c.json", "the spec of a sweep"));
}

TEST_CASE("files that cannot be read are refused with the reason") {
  const TemporaryFolder folder;
  const auto read = [&](const std::filesystem::path& path) { return error_message([&] { read_run_config(path); }); };
  CHECK(mentions(read(folder.path() / "none.json"), "configuration", "none.json", "no such file"));
  CHECK(mentions(read(folder.path()), "it is a folder"));
  CHECK(mentions(read(folder.write("empty.json", "")), "empty.json", "it is empty"));
  CHECK(mentions(read(folder.write("broken.json", "{\n\"seed\": }")), "broken.json:2:9:", "no valid JSON"));
  CHECK(mentions(read(folder.write("twice.json", R"({"seed": 1, "seed": 2})")), "twice.json", "\"seed\" stands twice"));
  REQUIRE(::mkfifo((folder.path() / "pipe.json").c_str(), 0600) == 0);
  CHECK(mentions(read(folder.path() / "pipe.json"), "pipe.json", "not a regular file"));
}

TEST_CASE("a resolved configuration is a configuration") {
  const TemporaryFolder folder;
  const RunConfig config = parse(R"({"seed": 3, "model": {"layers": 2, "dropout": 0.3}})");
  const RunConfig again = read_run_config(folder.write("config.json", to_json(config).dump(2)));
  CHECK(to_json(again) == to_json(config));
}

}  // namespace
}  // namespace attnlab::spec
