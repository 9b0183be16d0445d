#include "sacrebleu/command/environment.h"

#include <algorithm>

#include <fmt/format.h>

#include "sacrebleu/unicode.h"

namespace sacrebleu {

std::filesystem::path sacrebleu_folder(const Environment& environment) {
  if (const auto folder = environment("SACREBLEU")) return *folder;
  return std::filesystem::path(environment("HOME").value_or(".")) / ".sacrebleu";
}

std::string seed_in_signature(const Environment& environment) {
  return lower(environment("SACREBLEU_SEED").value_or("12345"));
}

Seed resampling_seed(const Environment& environment) {
  const std::string text = seed_in_signature(environment);
  if (text == "none") return std::nullopt;
  std::string digits(strip(text));
  if (digits.starts_with('+')) digits.erase(0, 1);
  std::erase(digits, '_');
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) {
    throw Error(ErrorKind::value,
                fmt::format("SACREBLEU_SEED must be a non-negative integer or 'none', but it is '{}'", text));
  }
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

NumpyRules numpy_rules(const Environment& environment) {
  return environment("NPY_PROMOTION_STATE").value_or("") == "legacy" ? NumpyRules::numpy1 : NumpyRules::numpy2;
}

}  // namespace sacrebleu
