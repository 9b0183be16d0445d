// What the options of `attnlab attend` need to have an effect.

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/attend.h"
#include "support/error.h"

namespace attnlab::app::attention {

namespace {

bool has_format(const Arguments& a, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) {
    return std::find(a.formats.begin(), a.formats.end(), name) != a.formats.end();
  });
}

/// Options that are read by nothing in some case, and what a person can do about it.
struct Need {
  std::vector<const char*> options;
  bool (*is_missing)(const Arguments& a);
  const char* advice;  ///< goes on after "has no effect"
};

const std::vector<Need>& needs() {
  static const std::vector<Need> all = {
      {{"--alignments", "--removal-bleu", "--pruning"},
       [](const Arguments& a) { return !a.analyse; },
       "without --analyse: add it"},
      {{"--compare", "--compare-weights"},
       [](const Arguments& a) { return !has_format(a, {"html"}); },
       "without the page, which shows two runs: add --format html"},
      {{"--target", "--targets"},
       [](const Arguments& a) { return !a.split.empty(); },
       "with --split: targets belong to --sentence or --input; --forced takes the references of a split"},
      {{"--target"},
       [](const Arguments& a) { return !a.target_file.empty(); },
       "with --targets: give the targets in one way"},
      {{"--sentence", "--input", "--target", "--targets", "--forced", "--kinds", "--layers", "--heads"},
       [](const Arguments& a) { return a.formats.empty(); },
       "on --analyse, which takes every head and the references of a --split: remove it, or add the --format that "
       "shows it"},
      {{"--max-size"},
       [](const Arguments& a) {
         return !has_format(a, {"safetensors", "npz", "bertviz", "html"});
       },
       "without a file of weights: it limits --format safetensors, npz, bertviz and html"},
      {{"--out", "--replace"},
       [](const Arguments& a) { return file_names(a).empty(); },
       "on --format text, which goes to the terminal: remove it, or add a --format that is a file"},
  };
  return all;
}

}  // namespace

void require_effects(const CLI::App& verb, const Arguments& a) {
  if (a.formats.empty() && !a.analyse)
    throw Error("nothing to do: say --format (safetensors, npz, bertviz, csv, html or text) or --analyse");
  for (const Need& need : needs()) {
    if (!need.is_missing(a)) continue;
    std::vector<const char*> idle;
    for (const char* option : need.options)
      if (verb.count(option) > 0) idle.push_back(option);
    if (!idle.empty())
      throw Error(
          fmt::format("{} {} no effect {}", fmt::join(idle, ", "), idle.size() == 1 ? "has" : "have", need.advice));
  }
}

}  // namespace attnlab::app::attention
