#pragma once
/// What a checkpoint belongs to. Every file of weights and every state says it in its metadata, so that files of
/// another run, and a configuration or a tokenizer that was changed later, are noticed although all shapes fit.

#include <map>
#include <optional>
#include <string>

#include "experiments/spec/run_config.h"

namespace attnlab::checkpoint {

/// The `__metadata__` of a file.
using Metadata = std::map<std::string, std::string>;

/// The run that a checkpoint is of.
struct Identity {
  std::string configuration;  ///< canonical JSON (`spec::canonical_json`), seed included
  std::string tokenizers;     ///< hash of the models of both sides (`data::tokenizers_hash`)
};

/// The identity of a run's checkpoints.
Identity identity_of(const spec::RunConfig& config, const std::string& tokenizers);

/// `notes` with the identity among them.
Metadata with_identity(Metadata notes, const Identity& identity);

/// The identity that metadata name; nothing for files of older versions, which name none.
std::optional<Identity> identity_in(const Metadata& metadata);

/// Throws attnlab::Error that names both sides if `file` is of another run than `expected`.
void require_same(const Identity& found, const Identity& expected, const std::string& file);

}  // namespace attnlab::checkpoint
