#include "app/checked_option.h"

#include <filesystem>

#include <fmt/format.h>

#include "experiments/spec/assign.h"
#include "experiments/spec/describe.h"
#include "experiments/spec/read.h"
#include "support/error.h"

namespace attnlab::app {

CLI::Validator allowed_for(const std::string& key) {
  const auto problem = [key](const std::string& text) -> std::string {
    try {
      const auto [path, value] = spec::parse_set(key + "=" + text);
      spec::RunConfig scratch;
      spec::apply(spec::describe(scratch), path, value, spec::Place(key));
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  return {problem, ""};
}

CLI::Validator folder_name() {
  const auto problem = [](const std::string& name) -> std::string {
    std::error_code ignored;
    const bool other = std::filesystem::exists(name, ignored) && !std::filesystem::is_directory(name, ignored);
    return other ? fmt::format("{} is no folder", name) : "";
  };
  return {problem, ""};
}

CLI::Validator number_between(double lowest, double highest) {
  const auto problem = [lowest, highest](const std::string& text) -> std::string {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= lowest && value <= highest) return "";
    return fmt::format("expected a number from {} to {}, got {}", lowest, highest, text);
  };
  return {problem, ""};
}

CLI::Validator number_above(double bound, double highest) {
  const auto problem = [bound, highest](const std::string& text) -> std::string {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && value > bound && value <= highest) return "";
    return fmt::format("expected a number above {} and at most {}, got {}", bound, highest, text);
  };
  return {problem, ""};
}

}  // namespace attnlab::app
