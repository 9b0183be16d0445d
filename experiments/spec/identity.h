#pragma once
/// What makes two runs the same.

#include <string>
#include <string_view>

#include "experiments/spec/run_config.h"
#include "experiments/spec/write.h"

namespace attnlab::spec {

/// The identity of a configuration without its seed: the first 8 hex digits of SHA-256 over its canonical JSON
/// (`canonical_json`: 0 and 0.0 are the same, defaults are filled in) and over `content`, a hash of the data and
/// tokenizer files that it reads. With a `content`, the paths of those files (data.dir, tokenizer.model, .source_model,
/// .target_model) leave the identity: moved data are the same data. Everything else stays in, the device too: CPU and
/// CUDA do not give the same bits.
std::string identity(const RunConfig& config, std::string_view content = {});

/// The same for many configurations.
std::string identity(Writer& writer, const RunConfig& config, std::string_view content);

}  // namespace attnlab::spec
