#pragma once
/// Counts passed and failed cases and prints every difference.

#include <cmath>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

namespace sacrebleu::cases {

using Json = nlohmann::ordered_json;

/// Scores agree to 1e-9 of their size.
inline bool same_number(double expected, double actual) {
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) == std::isnan(actual);
  return expected == actual || std::abs(expected - actual) <= 1e-9 * std::max(std::abs(expected), std::abs(actual));
}

class Report {
 public:
  /// Opens a case; the one before is counted.
  void begin(const std::string& name) {
    finish();
    name_ = name;
    open_ = true;
  }
  void skip(const std::string& reason) {
    std::cout << "skipped " << name_ << ": " << reason << '\n';
    open_ = false;
    ++skipped_;
  }
  void differ(const std::string& what, const std::string& expected, const std::string& actual) {
    std::cout << name_ << ": " << what << "\n  expected " << expected << "\n  got      " << actual << '\n';
    good_ = false;
  }
  void number(const std::string& what, const Json& expected, double actual) {
    if (!expected.is_number() || !same_number(expected.get<double>(), actual)) {
      differ(what, expected.dump(), Json(actual).dump());
    }
  }
  void text(const std::string& what, const Json& expected, const std::string& actual) {
    if (!expected.is_string() || expected.get<std::string>() != actual)
      differ(what, expected.dump(), Json(actual).dump());
  }
  void numbers(const std::string& what, const Json& expected, const std::vector<double>& actual) {
    bool same = expected.is_array() && expected.size() == actual.size();
    for (std::size_t i = 0; same && i < actual.size(); ++i) same = same_number(expected[i].get<double>(), actual[i]);
    if (!same) differ(what, expected.dump(), Json(actual).dump());
  }
  /// Prints "N passed, N failed" and returns the exit code.
  int end() {
    finish();
    if (skipped_ > 0) std::cout << skipped_ << " skipped\n";
    std::cout << passed_ << " passed, " << failed_ << " failed\n";
    return failed_ == 0 ? 0 : 1;
  }

 private:
  void finish() {
    if (open_) ++(good_ ? passed_ : failed_);
    open_ = false;
    good_ = true;
  }

  std::string name_;
  bool open_ = false, good_ = true;
  int passed_ = 0, failed_ = 0, skipped_ = 0;
};

}  // namespace sacrebleu::cases
