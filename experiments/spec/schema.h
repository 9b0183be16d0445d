#pragma once
/// The JSON schema (draft-07) of spec files, for editors: what the reader accepts, apart from combinations of keys.

#include <string>

namespace attnlab::spec {

/// The schema of a sweep's spec; `#/definitions/run` inside it is that of one run's configuration. Ends with a newline.
std::string schema();

}  // namespace attnlab::spec
