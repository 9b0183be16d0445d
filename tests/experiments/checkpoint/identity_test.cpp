#include "experiments/checkpoint/identity.h"

#include "experiments/checkpoint/average.h"
#include "experiments/spec/read.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::checkpoint {
namespace {

using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;

Identity with_heads(int64_t heads, const std::string& tokenizers = "0123456789abcdef") {
  spec::RunConfig config;
  config.data.generator = "copy";
  config.model.heads = heads;
  return identity_of(config, tokenizers);
}

TEST_CASE("An identity goes through a file's metadata, other notes beside it", "[identity]") {
  const TemporaryFolder folder;
  save_tensors(folder / "w", {{"w", torch::ones({2})}}, with_identity({{"step", "3"}}, with_heads(4)));
  const Metadata metadata = load_tensors(folder / "w").metadata;
  CHECK(metadata.at("step") == "3");
  const auto found = identity_in(metadata);
  REQUIRE(found);
  CHECK(found->configuration == with_heads(4).configuration);
  CHECK(found->tokenizers == "0123456789abcdef");
  CHECK(spec::parse_run_config(parse_json(metadata.at("configuration"), "w"), "w").model.heads == 4);
  CHECK_FALSE(identity_in({{"step", "3"}}));
}

TEST_CASE("A checkpoint of another configuration or other tokenizers is refused, naming both sides", "[identity]") {
  CHECK_NOTHROW(require_same(with_heads(4), with_heads(4), "x.safetensors"));
  const std::string heads = error_message([] { require_same(with_heads(1), with_heads(2), "x.safetensors"); });
  CHECK(
      mentions(heads, "'x.safetensors'", "another configuration", "model.heads: 1 there, 2 here", "config.json, back"));
  const std::string tokenizers =
      error_message([] { require_same(with_heads(1), with_heads(1, "fedcba9876543210"), "x.safetensors"); });
  CHECK(mentions(tokenizers, "'x.safetensors'", "other tokenizers", "0123456789ab... there", "fedcba987654... here",
                 "source.model and target.model, back"));
}

TEST_CASE("The same configuration in another order or without a newer key is the same", "[identity]") {
  Identity older = with_heads(4);
  older.configuration = R"({"model": {"heads": 4}, "data": {"generator": "copy"}})";
  CHECK_NOTHROW(require_same(older, with_heads(4), "x"));
  older.configuration = R"({"model": {"heads": 4, "colour": 1}, "data": {"generator": "copy"}})";
  CHECK(mentions(error_message([&] { require_same(older, with_heads(4), "x"); }), "'x', configuration", "colour"));
}

TEST_CASE("Files of other runs are not averaged", "[identity]") {
  const TemporaryFolder folder;
  const NamedTensors weights = {{"w", torch::ones({2})}};
  save_tensors(folder / "own", weights, with_identity({}, with_heads(4)));
  save_tensors(folder / "other", weights, with_identity({}, with_heads(8)));
  save_tensors(folder / "old", weights);
  CHECK(average_files({folder / "own", folder / "old"}, with_heads(4)).size() == 1);
  CHECK(mentions(error_message([&] {
                   average_files({folder / "own", folder / "other"}, with_heads(4));
                 }),
                 (folder / "other").string(), "model.heads: 8 there, 4 here"));
}

}  // namespace
}  // namespace attnlab::checkpoint
