// What a study found: its findings, its table and its pictures.

#include "experiments/results/report/fields.h"
#include "experiments/results/report/sections.h"

namespace attnlab::results::report {
std::string study_section(const Content& content) {
  if (content.study == nullptr) return "";
  const StudySection& study = *content.study;
  std::string html;
  if (!study.findings.empty()) html += list(study.findings);
  html += table_of(study.table).html() + list(study.table.legend, "legend");
  for (const auto& picture : study.pictures) html += figure(picture.svg, picture.caption);
  html += paragraph("Files: " + link("comparison.md", "comparison.md") + " · " +
                    link("comparison.json", "every number by seed"));
  return section("study", "Comparison", html);
}

}  // namespace attnlab::results::report
