#pragma once
/// A small JSON schema validator (draft-07), enough for the schema of the spec; a keyword that it does not know is an
/// error, so nothing is taken for checked that is not.

#include "support/json.h"

namespace attnlab::spec::tests {

/// Whether `value` is valid under `schema`; `root` is the document that `$ref` points into. Throws std::runtime_error
/// for a keyword that is not implemented.
bool is_valid(const Json& root, const Json& schema, const Json& value);

}  // namespace attnlab::spec::tests
