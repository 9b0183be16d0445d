#include "app/checked_option.h"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "experiments/spec/assign.h"
#include "experiments/spec/describe.h"
#include "support/error.h"

namespace attnlab::app {
namespace {

template <typename Number>
std::optional<Number> read_all(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<double> finite_number(const std::string& text) {
  const auto value = read_all<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<int64_t> whole_number(const std::string& text) {
  if (const auto digits = read_all<int64_t>(text)) return digits;
  // From 2^53 on a double no longer says which whole number was written.
  const auto value = finite_number(text);
  if (!value || std::abs(*value) >= 9007199254740992.0 || *value != std::trunc(*value)) return std::nullopt;
  return static_cast<int64_t>(*value);
}

std::string unexpected(const std::string& expected, const std::string& text) {
  return fmt::format("expected {}, got {}", expected, text.empty() ? "nothing" : text);
}

/// What the spec says against a number under `key`; "": nothing.
std::string problem_of_spec(const spec::Table& table, const std::string& key, const Json& number) {
  try {
    spec::apply(table, key, number, spec::Place(key));
    return "";
  } catch (const Error& error) {
    return std::string(error.what()).substr(key.size() + std::string(": ").size());  // the key is not what was typed
  }
}

}  // namespace

CLI::Validator allowed_for(const std::string& key) {
  const auto check = [key](std::string& text) -> std::string {
    spec::RunConfig scratch;
    const spec::Table table = spec::describe(scratch);
    const auto number = finite_number(text);
    if (!number) return unexpected(table.find(key)->expected(), text);
    const auto whole = whole_number(text);
    if (whole) text = std::to_string(*whole);
    return problem_of_spec(table, key, whole ? Json(*whole) : Json(*number));
  };
  return {check, ""};
}

CLI::Validator count_between(int64_t lowest, int64_t highest) {
  const auto check = [lowest, highest](std::string& text) -> std::string {
    const auto count = whole_number(text);
    if (!count || *count < lowest || *count > highest)
      return unexpected(fmt::format("a whole number from {} to {}", lowest, highest), text);
    text = std::to_string(*count);
    return "";
  };
  return {check, ""};
}

CLI::Validator count_from(int64_t least) {
  return count_between(least, 1'000'000'000);
}

CLI::Validator thread_count() {
  return count_between(1, 1024);
}

CLI::Validator number_between(double lowest, double highest) {
  const auto check = [lowest, highest](const std::string& text) -> std::string {
    const auto value = finite_number(text);
    if (value && *value >= lowest && *value <= highest) return "";
    return unexpected(fmt::format("a number from {} to {}", lowest, highest), text);
  };
  return {check, ""};
}

CLI::Validator number_above(double bound, double highest) {
  const auto check = [bound, highest](const std::string& text) -> std::string {
    const auto value = finite_number(text);
    if (value && *value > bound && *value <= highest) return "";
    return unexpected(fmt::format("a number above {} and at most {}", bound, highest), text);
  };
  return {check, ""};
}

CLI::Validator not_empty() {
  const auto check = [](const std::string& text) { return text.empty() ? "expected a name, got nothing" : ""; };
  return {check, ""};
}

CLI::Validator folder_name() {
  const auto check = [](const std::string& name) -> std::string {
    std::error_code ignored;
    const bool other = std::filesystem::exists(name, ignored) && !std::filesystem::is_directory(name, ignored);
    return other ? fmt::format("{} is no folder", name) : "";
  };
  return {check, ""};
}

}  // namespace attnlab::app
