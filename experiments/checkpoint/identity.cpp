#include "experiments/checkpoint/identity.h"

#include <utility>

#include <fmt/format.h>

#include "experiments/spec/difference.h"
#include "experiments/spec/read.h"
#include "experiments/spec/write.h"
#include "support/error.h"
#include "support/json.h"

namespace attnlab::checkpoint {
namespace {

constexpr const char* kConfiguration = "configuration";
constexpr const char* kTokenizers = "tokenizers";
constexpr size_t kShownDigits = 12;

spec::RunConfig parse(const std::string& configuration, const std::string& file) {
  const std::string where = fmt::format("'{}', configuration", file);
  return spec::parse_run_config(parse_json(configuration, where), where);
}

}  // namespace

Identity identity_of(const spec::RunConfig& config, const std::string& tokenizers) {
  return {spec::canonical_json(config).dump(), tokenizers};
}

Metadata with_identity(Metadata notes, const Identity& identity) {
  notes[kConfiguration] = identity.configuration;
  notes[kTokenizers] = identity.tokenizers;
  return notes;
}

std::optional<Identity> identity_in(const Metadata& metadata) {
  const auto configuration = metadata.find(kConfiguration), tokenizers = metadata.find(kTokenizers);
  if (configuration == metadata.end() || tokenizers == metadata.end()) return std::nullopt;
  return Identity{configuration->second, tokenizers->second};
}

void require_same(const Identity& found, const Identity& expected, const std::string& file) {
  if (found.configuration != expected.configuration) {
    const std::string difference =
        spec::first_difference(parse(found.configuration, file), parse(expected.configuration, file));
    if (!difference.empty()) {
      throw Error(
          fmt::format("'{}' was trained with another configuration than this run has ({}): bring the run's own "
                      "checkpoints, or its old config.json, back",
                      file, difference));
    }
  }
  if (found.tokenizers != expected.tokenizers) {
    throw Error(
        fmt::format("'{}' was trained with other tokenizers than this run has (SHA-256 {}... there, {}... here): bring "
                    "the run's own checkpoints, or its old source.model and target.model, back",
                    file, found.tokenizers.substr(0, kShownDigits), expected.tokenizers.substr(0, kShownDigits)));
  }
}

}  // namespace attnlab::checkpoint
