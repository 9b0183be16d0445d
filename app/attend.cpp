// attnlab attend --run DIR: what every head attends to, as files for other programs, as a page, as text, and as
// analyses.

#include "app/attend.h"

#include <array>
#include <memory>

#include <fmt/format.h>

#include "app/checked_option.h"
#include "app/replace_option.h"
#include "app/say.h"
#include "app/terminal.h"
#include "app/text_input.h"
#include "app/verbs.h"
#include "experiments/inspection/prepare.h"
#include "support/error.h"
#include "support/files.h"

namespace attnlab::app::attention {

void warn(const std::string& message) {
  say("attnlab: warning: {}\n", message);
}

Progress::Progress(bool shown) : shown_(shown && interactive()) {}

Progress::~Progress() {
  if (open_) say("\r\033[K");
}

void Progress::show(const std::string& what, double done) {
  if (!shown_) return;
  say("\r\033[K{} {:.0f} %", what, 100 * done);
  open_ = true;
}

namespace fs = std::filesystem;

/// Asks for each file, before any work, whether it may be written. In the run's own folder `attention/` their names are
/// the program's.
static void require_place(const Arguments& a, const fs::path& out) {
  if (!fs::exists(out)) return;  // a new folder has nothing in the way
  std::error_code missing;
  const bool own = fs::equivalent(out, fs::path(a.run) / "attention", missing);
  for (const std::string& name : file_names(a))
    require_writable(out / name, own ? Replace::yes : a.replace, {a.input, a.target_file, a.alignments});
}

/// What the files show; without one, the sentence of the rollouts.
static Lines lines_to_show(const Arguments& a, const checkpoint::TrainedRun& run) {
  if (!a.formats.empty()) return given_lines(a, run);
  const std::string split = analysed_split(a);
  return lines_of_split(corpus_for(run, split), split, /*forced=*/true, 1);
}

static int attend(const Arguments& a) {
  if (a.threads > 0) at::set_num_threads(a.threads);
  require_one_standard_input(std::array{a.input, a.target_file}, "--input and --targets");
  const fs::path out = a.out.empty() ? fs::path(a.run) / "attention" : fs::path(a.out);
  std::vector<Opened> runs;
  runs.push_back(open_for_attention(a, a.run, a.weights));
  if (!a.compare.empty() || !a.compare_weights.empty())
    runs.push_back(open_for_attention(a, a.compare.empty() ? a.run : a.compare, a.compare_weights));
  require_place(a, out);
  const Lines lines = lines_to_show(a, runs.front().run);
  for (Opened& opened : runs)
    opened.plan.sentences = inspection::prepare_sentences(opened.run, lines.sources, lines.targets, warn);
  require_fitting(a, runs);

  if (!file_names(a).empty()) make_folder(out);
  Progress progress(!a.quiet);
  std::vector<inspection::HeadReport> reports;
  std::vector<std::string> names;
  if (a.analyse) {
    for (Opened& opened : runs) reports.push_back(analyse(a, opened, progress));
    names = inspection::write_report(out, reports.front());
    const auto rollouts = write_rollouts(out, runs.front());
    names.insert(names.end(), rollouts.begin(), rollouts.end());
  }
  export_files(a, out, runs.front(), progress);
  for (const std::string& format : a.formats) {
    if (format == "html") export_page(out / file_name(format), runs, reports, progress);
    if (format != "text") names.push_back(file_name(format));
  }
  progress.show("done", 1);
  if (a.quiet) return done;
  if (a.analyse) print_summary(reports.front());
  for (const std::string& name : names)
    fmt::print("{}  {}\n", (out / name).string(), readable_size(fs::file_size(out / name)));
  return done;
}

}  // namespace attnlab::app::attention

namespace attnlab::app {

void add_attend(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<attention::Arguments>();
  CLI::App* verb = app.add_subcommand(
      "attend", "Attention of a trained run: files, an offline page, text, and analyses of its heads");
  verb->add_option("--run", a->run, "folder of a trained run")->check(not_empty())->required();
  verb->add_option("--sentence", a->sentences, "a source sentence; may be repeated")->allow_extra_args(false);
  verb->add_option("--target", a->targets, "the target of each --sentence (default: the run's own translation)")
      ->allow_extra_args(false);
  verb->add_option("--input", a->input, "file of source lines, - for stdin")->check(not_empty());
  verb->add_option("--targets", a->target_file, "file of their target lines")->check(not_empty());
  verb->add_option("--split", a->split, "train, valid or test sentences of the run's data")
      ->check(CLI::IsMember({"train", "valid", "test"}));
  verb->add_flag("--forced", a->forced, "with --split: the references as targets, not the run's own translations");
  verb->add_option("--limit", a->limit, "at most so many sentences")->transform(count_from(1));
  verb->add_option("--kinds", a->kinds, "encoder, decoder, cross, separated by commas, or all")->capture_default_str();
  verb->add_option("--layers", a->layers, "layers from 0, separated by commas, or all")->capture_default_str();
  verb->add_option("--heads", a->heads, "heads from 0, separated by commas, or all")->capture_default_str();
  verb->add_option("--format", a->formats,
                   "weights as safetensors, npz or bertviz; html: a page; text: to the terminal; csv: entropy and so "
                   "on of every head. "
                   "Several separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"safetensors", "npz", "bertviz", "csv", "html", "text"}));
  verb->add_option("--out", a->out, "folder of the files (default: attention/ in the run's folder)")
      ->check(not_empty());
  add_replace_option(*verb, a->replace);
  verb->add_option("--max-size", a->max_size, "largest file in MiB (default: html 64, others 2048)")
      ->transform(count_from(1));
  verb->add_option("--compare", a->compare, "a second run, shown beside the first on the page")->check(not_empty());
  verb->add_option("--compare-weights", a->compare_weights, "checkpoint of the second: best, last or average")
      ->check(CLI::IsMember({"best", "last", "average"}));
  verb->add_flag("--analyse", a->analyse,
                 "numbers of every head over a split (default: test): heads.csv, heads.json, pictures");
  verb->add_option("--alignments", a->alignments, "with --analyse: gold links of the split in Pharaoh format")
      ->check(not_empty());
  verb->add_flag("--removal-bleu", a->removal_bleu, "with --analyse: BLEU without each head, too");
  verb->add_flag("--pruning", a->pruning, "with --analyse: greedy pruning curve, heads chosen by validation loss");
  verb->add_option("--weights", a->weights, "checkpoint: best, last or average (default: the one that was tested)")
      ->check(CLI::IsMember({"best", "last", "average"}));
  verb->add_option("--device", a->device, "cpu, cuda, cuda:N or auto")->capture_default_str();
  verb->add_option("--threads", a->threads, "threads (default: the machine's)")->transform(thread_count());
  verb->add_flag("-q,--quiet", a->quiet, "no progress, no list of files");
  verb->callback([a, verb, &exit_code] {
    attention::require_effects(*verb, *a);
    exit_code = attention::attend(*a);
  });
}

}  // namespace attnlab::app
