// What a study found: its findings, its table and its pictures.

#include "experiments/results/report/fields.h"
#include "experiments/results/report/sections.h"

namespace attnlab::results::report {
namespace {

std::string list(const std::vector<std::string>& sentences) {
  std::string html = "<ul>\n";
  for (const auto& sentence : sentences) html += "<li>" + isolated(with_minus(sentence)) + "</li>\n";
  return html + "</ul>\n";
}

}  // namespace

std::string study_section(const Content& content) {
  if (content.study == nullptr) return "";
  const StudySection& study = *content.study;
  std::string html;
  if (!study.findings.empty()) html += list(study.findings);
  html += table_of(study.table).html() + legend_list(study.table);
  for (const auto& picture : study.pictures) html += figure(picture.svg, picture.caption);
  html += paragraph("Files: " + link("comparison.md", "comparison.md") + " · " +
                    link("comparison.json", "every number by seed"));
  return section("study", "Comparison", html);
}

}  // namespace attnlab::results::report
