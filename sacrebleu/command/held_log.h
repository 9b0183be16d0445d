#pragma once
/// A log whose messages wait until others have been told.

#include <string>
#include <utility>
#include <vector>

#include "sacrebleu/metric.h"

namespace sacrebleu {

/// Hands on to `log` from release() on: first what it was told before, in order.
class HeldLog {
 public:
  explicit HeldLog(Log log) : log_(std::move(log)) {}

  void tell(LogLevel level, const std::string& message) {
    if (released_) return log_(level, message);
    messages_.emplace_back(level, message);
  }

  void release() {
    released_ = true;
    for (const auto& [level, message] : messages_) log_(level, message);
    messages_.clear();
  }

 private:
  Log log_;
  std::vector<std::pair<LogLevel, std::string>> messages_;
  bool released_ = false;
};

}  // namespace sacrebleu
