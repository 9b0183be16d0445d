#pragma once
/// The parts of `attnlab attend`: what it was asked, what it looks at, what it writes.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/checkpoint/trained_run.h"
#include "experiments/data/corpus.h"
#include "experiments/inspection/report.h"
#include "experiments/inspection/writer.h"
#include "support/output.h"

namespace CLI {
class App;
}

namespace attnlab::app::attention {

/// The command line, see add_attend for the meaning of each.
struct Arguments {
  std::string run, weights, device = "auto", compare, compare_weights;
  std::vector<std::string> sentences, targets, formats;
  std::string input, target_file, split, kinds = "all", layers = "all", heads = "all", out, alignments;
  int64_t limit = 0, max_size = 0;
  int threads = 0;
  bool forced = false, analyse = false, removal_bleu = false, pruning = false, quiet = false;
  Replace replace = Replace::no;
};

/// Throws attnlab::Error for options of `verb` that were given and would have no effect beside the others, or if
/// nothing was asked for.
void require_effects(const CLI::App& verb, const Arguments& a);

/// The lines that are looked at, and what is known of them.
struct Lines {
  std::vector<std::string> sources;
  std::optional<std::vector<std::string>> targets;
  std::vector<data::Gold> gold;
};

/// The lines that the command line names; the corpus of the run's data is loaded only for a split.
Lines given_lines(const Arguments& a, const checkpoint::TrainedRun& run);

/// The corpus of a run, as far as it is needed for this split, `train`, `valid` or `test`.
data::Corpus corpus_for(const checkpoint::TrainedRun& run, const std::string& split);

/// The split that `--analyse` is about.
std::string analysed_split(const Arguments& a);

/// A split of a run's data; `forced`: with its references as targets. `limit` 0 = all.
Lines lines_of_split(const data::Corpus& corpus, const std::string& name, bool forced, int64_t limit);

/// One run with the plan of what is taken from it.
struct Opened {
  checkpoint::TrainedRun run;
  std::string name;
  inspection::ExportPlan plan;
};

/// Opens a run and plans what is taken from it, but for its sentences.
Opened open_for_attention(const Arguments& a, const std::string& folder, const std::string& weights);

/// A warning on stderr.
void warn(const std::string& message);

/// A line on stderr that grows in place on a terminal and is not there elsewhere.
class Progress {
 public:
  explicit Progress(bool shown);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(const std::string& what, double done);

 private:
  bool shown_, open_ = false;
};

/// The name of a format's file.
const char* file_name(const std::string& format);

/// The names of all files that are going to be written.
std::vector<std::string> file_names(const Arguments& a);

/// Tells the sizes of all files and throws attnlab::Error if one is over its limit.
void require_fitting(const Arguments& a, const std::vector<Opened>& runs);

/// Writes every format but the page in one pass over the run, and prints text.
void export_files(const Arguments& a, const std::filesystem::path& out, Opened& opened, Progress& progress);

/// Writes the page of all runs; `reports` are their analyses, or empty.
void export_page(const std::filesystem::path& path, std::vector<Opened>& runs,
                 const std::vector<inspection::HeadReport>& reports, Progress& progress);

/// Analyses a split of the run's data.
inspection::HeadReport analyse(const Arguments& a, Opened& opened, Progress& progress);

/// Rollouts of the first sentence through encoder and decoder; returns the names of the pictures.
std::vector<std::string> write_rollouts(const std::filesystem::path& out, Opened& opened);

/// The table of heads on stdout.
void print_summary(const inspection::HeadReport& report);

/// "12.5 KiB", "1.25 MiB".
std::string readable_size(uintmax_t bytes);

}  // namespace attnlab::app::attention
