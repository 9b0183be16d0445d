#pragma once
/// The one exception that a person is meant to read. Everything that bad input can cause is thrown as this type;
/// anything else that escapes is a fault of the program.

#include <stdexcept>
#include <string>

namespace attnlab {

/// A message that says what was expected, what came, where (file, line, JSON path), and what to change.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace attnlab
