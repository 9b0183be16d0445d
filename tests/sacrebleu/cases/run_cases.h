#pragma once
/// One function for each form of case file.

#include <filesystem>

#include "tests/sacrebleu/cases/report.h"

namespace sacrebleu::cases {

/// [{name, metric, options, hyps, refs, level, score, extra}]: corpora with their scores, strings and intermediate
/// results.
void run_metric_cases(const Json& cases, Report& report);
/// [{name, hyp, ref, num_edits, ref_length}]: single pairs for the search of TER.
void run_ter_cases(const Json& cases, Report& report);
/// [{n, nrefs, systems, refs, tests}]: intervals and paired tests under both NumPy rules.
void run_significance_cases(const Json& cases, Report& report);
/// [{name, argv, files_b64, stdin_b64, env, rc, stdout, stderr}]: runs of the command.
void run_command_cases(const Json& cases, Report& report);
/// {expected, sentence}: scores of the text files that lie beside the JSON file.
void run_text_cases(const Json& cases, const std::filesystem::path& folder, Report& report);

}  // namespace sacrebleu::cases
