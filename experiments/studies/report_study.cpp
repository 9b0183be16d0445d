#include "experiments/studies/report_study.h"

#include <fmt/format.h>

#include "experiments/studies/norms_study.h"
#include "experiments/studies/positions_study.h"
#include "experiments/sweep/manifest.h"
#include "support/error.h"

namespace attnlab::studies {

std::optional<StudyReport> report_study(const std::filesystem::path& out) {
  const auto path = out / "comparison.json";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  const Json former = read_json(path, "the comparison of a study");
  const Json study = former.is_object() ? former.value("study", Json()) : former;
  if (study != "positions" && study != "norms")
    throw Error(
        fmt::format("{}: expected \"study\": \"norms\" or \"positions\", got {}; `attnlab compare` writes this "
                    "file again",
                    path.string(), brief(study)));
  if (former.value("name", Json()) != sweep::read_manifest(out).name) return std::nullopt;  // of an earlier sweep
  if (study == "positions") return report_positions(out);
  const Json target = former.value("target", Json());
  return report_norms(out, target.is_number() ? std::optional<double>(target.get<double>()) : std::nullopt);
}

}  // namespace attnlab::studies
