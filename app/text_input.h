#pragma once
/// Lines that verbs read from files or stdin: split at LF only, CR of CRLF removed, so that line i of the output answers line i.

#include <string>
#include <vector>

namespace attnlab::app {

/// The lines of `path`, or of stdin for "-". `what` names the option in messages.
std::vector<std::string> read_lines(const std::string& path, const std::string& what);

}  // namespace attnlab::app
