#pragma once
/// The one exception of this library. It carries a message for a person and the kind of error that Python's sacreBLEU
/// raises in the same situation, so that callers who port scripts can tell them apart.

#include <stdexcept>
#include <string>

namespace sacrebleu {

/// Named after the Python exceptions that the original lets through.
enum class ErrorKind { index, type, value, zero_division, runtime, unicode, file };

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace sacrebleu
