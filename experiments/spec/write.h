#pragma once
/// A configuration back into JSON, complete and always in the same order.

#include "experiments/spec/run_config.h"
#include "experiments/spec/table.h"
#include "support/json.h"

namespace attnlab::spec {

/// Every key of `config` with its value, defaults filled in, in the order of the reference page. Equal configurations
/// give equal text; `parse_run_config` reads it back to the same configuration.
Json to_json(const RunConfig& config);

/// `to_json` without those keys that are marked as added (`Field::added`) and have their default: what identities are
/// computed from, so that runs keep theirs when a key is added.
Json canonical_json(const RunConfig& config);

/// The same of any table; `defaults` is the table of the same keys with their defaults.
Json canonical_json(const Table& table, const Table& defaults);

/// The value of a dotted path ("model.heads"). For a shorthand whose targets differ: a list of their values. Throws
/// attnlab::Error for an unknown path.
Json value_at(const RunConfig& config, const std::string& path);

}  // namespace attnlab::spec
