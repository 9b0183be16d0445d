// Tests over the sentences of the translations.

#include <algorithm>

#include <fmt/format.h>

#include "experiments/results/layout.h"
#include "experiments/results/report/fields.h"
#include "experiments/results/report/sections.h"

namespace attnlab::results::report {
namespace {

constexpr size_t kLongTable = 60;  // rows; a longer one is folded

/// Partners stand in a column only if there is more than one.
std::string sentences_table(const Content& content, const SentenceTests& sentences) {
  constexpr const char* kPoints = "test.bleu";  // every score has its digits
  const bool one_partner = std::all_of(sentences.tests.begin(), sentences.tests.end(), [&](const SentenceTest& test) {
    return test.partner == sentences.tests.front().partner;
  });
  HtmlTable table;
  table.heads = {cells_head(content.grid), "seed",          sentences.metric,    "baseline",         "Δ",
                 "95 % interval",          "p (bootstrap)", "p (randomisation)", "lines that differ"};
  table.numbers = {false, true, true, true, true, true, true, true, true};
  if (!one_partner) {
    table.heads.insert(table.heads.begin() + 1, "compared with");
    table.numbers.insert(table.numbers.begin(), false);
  }
  for (const auto& test : sentences.tests) {
    std::vector<Field> row = {cell_field(content, test.cell)};
    if (!one_partner) row.push_back(cell_field(content, test.partner));
    for (const auto& field :
         {number_field(std::to_string(test.seed), static_cast<double>(test.seed)),
          number_field(format_metric(kPoints, test.score), test.score),
          number_field(format_metric(kPoints, test.partner_score), test.partner_score),
          number_field(signed_text(kPoints, test.difference()), test.difference()),
          interval_field(kPoints, test.low, test.high), p_field(test.p_bootstrap), p_field(test.p_randomisation),
          number_field(fmt::format("{} of {}", test.differing_lines, test.lines),
                       static_cast<double>(test.differing_lines))})
      row.push_back(field);
    table.rows.push_back(std::move(row));
  }
  const std::string partner =
      one_partner
          ? paragraph("Compared with " +
                          isolated(cell_label(content.summary.results, content.grid, sentences.tests.front().partner)) +
                          ".",
                      "soft")
          : "";
  return partner + (table.rows.size() > kLongTable
                        ? folded(fmt::format("All {} comparisons", table.rows.size()), table.html())
                        : table.html());
}

}  // namespace

std::string sentences_section(const Content& content) {
  if (!content.sentences || (content.sentences->tests.empty() && content.sentences->problems.empty())) return "";
  const auto& sentences = *content.sentences;
  std::string html = paragraph(
      fmt::format(
          "Each cell against its baseline on the sentences of the test set, seed by seed: paired bootstrap with {} "
          "resamples (Koehn 2004) and approximate randomisation with {} trials (Riezler and Maxwell 2005), seed {}. "
          "They tell whether two trained models differ, not whether the setting matters: another seed may turn the "
          "sign. The p are not corrected for their number. That of the bootstrap is sacreBLEU's (how often a centred "
          "difference exceeds the one observed, without absolute values, so near 0.5 where there is none); that of the "
          "randomisation is two-sided: the two are not alike.",
          kSentenceResamples, kSentenceTrials, kSentenceSeed),
      "soft");
  if (!sentences.tests.empty()) {
    html += sentences_table(content, sentences) + paragraph("Signatures: " + code(sentences.bootstrap_signature) +
                                                                " and " + code(sentences.randomisation_signature),
                                                            "soft");
  }
  for (const auto& problem : sentences.problems) html += paragraph(isolated(problem), "warning");
  return section("sentences", "Differences by sentence", html);
}

}  // namespace attnlab::results::report
