// attnlab translate --run DIR < in > out: one line of output for each line of input, in its order.

#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/checked_option.h"
#include "app/line_reader.h"
#include "app/open_run.h"
#include "app/say.h"
#include "app/text_input.h"
#include "app/verbs.h"
#include "experiments/decoding/decode.h"
#include "experiments/decoding/texts.h"
#include "support/error.h"
#include "tokenizer/blanks.h"

namespace attnlab::app {

namespace {

struct TranslateArguments {
  std::string run, input = "-", device = "auto", weights, format = "text";
  spec::DecodingConfig search;
  decoding::Sampling sampling;
  int64_t n_best = 1;
  int threads = 0;
  bool allow_unk = false, no_unk = false;
};

struct Flags {
  CLI::Option *beam, *penalty, *alpha, *min_length, *ratio, *extra, *batch, *allow_unk, *no_unk, *temperature, *top_k,
      *top_p, *seed;
};

/// Enough to fill batches of sentences of one length, few enough that memory does not grow with the input.
constexpr int64_t kLinesAtOnce = 10'000;

void print_text(size_t line, const std::vector<decoding::Reading>& readings, int64_t n_best) {
  for (const decoding::Reading& reading : readings) {
    if (n_best > 1) std::cout << fmt::format("{}\t{:.6f}\t", line, reading.hypothesis.score);
    std::cout << tokenizer::as_one_field(reading.text) << '\n';
  }
}

void print_json(size_t line, const std::string& source, const tokenizer::Tokenizer& target,
                const std::vector<decoding::Reading>& readings) {
  nlohmann::ordered_json entry;
  entry["line"] = line;
  entry["source"] = source;
  for (const auto& [text, hypothesis] : readings) {
    nlohmann::ordered_json one;
    one["text"] = text;
    one["score"] = hypothesis.score;
    one["log_probability"] = hypothesis.log_probability;
    one["finished"] = hypothesis.finished;
    one["pieces"] = nlohmann::ordered_json::array();
    for (int32_t id : hypothesis.ids) one["pieces"].push_back(target.piece(id));
    entry["hypotheses"].push_back(one);
  }
  std::cout << entry.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

/// Says where a list is shorter than was asked for.
void warn_of_short_list(size_t line, size_t found, size_t distinct, int64_t n_best) {
  if (static_cast<int64_t>(distinct) >= n_best) return;
  const std::string reason = distinct < found ? fmt::format("{} had the text of a better one", found - distinct)
                                              : "there are no more within the largest length";
  say("attnlab: warning: --input: line {}: {} of {} hypotheses: {}\n", line, distinct, n_best, reason);
}

decoding::DecodeOptions decode_options(const TranslateArguments& arguments, const Flags& flags,
                                       const checkpoint::TrainedRun& run) {
  decoding::DecodeOptions options;
  options.search = run.config.decoding;
  if (*flags.beam) options.search.beam = arguments.search.beam;
  if (*flags.penalty) options.search.length_penalty = arguments.search.length_penalty;
  if (*flags.alpha) options.search.alpha = arguments.search.alpha;
  if (*flags.min_length) options.search.min_length = arguments.search.min_length;
  if (*flags.ratio) options.search.max_length_ratio = arguments.search.max_length_ratio;
  if (*flags.extra) options.search.max_length_extra = arguments.search.max_length_extra;
  if (*flags.batch) options.search.batch_sentences = arguments.search.batch_sentences;
  if (*flags.allow_unk || *flags.no_unk) options.search.allow_unk = arguments.allow_unk;
  if (*flags.alpha && options.search.length_penalty == "none")
    throw Error(
        "--alpha is the exponent of the length penalty, and there is none: give --length-penalty gnmt or average, or "
        "leave --alpha out");
  const bool samples = *flags.temperature || *flags.top_k || *flags.top_p || *flags.seed;
  if (samples && (*flags.beam || *flags.penalty || *flags.alpha))
    throw Error(
        "--temperature, --top-k, --top-p and --seed sample; --beam, --length-penalty and --alpha search: give one "
        "kind");
  if (samples) options.sampling = arguments.sampling;
  options.n_best = arguments.n_best;
  options.special = decoding::special_ids(run.tokenizers.target);
  return options;
}

/// Translates and prints lines of which the first has the number `options.first_sentence` from 0.
void translate_lines(const TranslateArguments& arguments, checkpoint::TrainedRun& run,
                     const std::vector<std::string>& lines, const decoding::DecodeOptions& options) {
  const auto before = static_cast<size_t>(options.first_sentence);
  const tokenizer::Tokenizer& target = run.tokenizers.target;
  const auto sources = encode_lines(run.tokenizers.source, lines, run.config.data.max_pieces, "--input", before);
  const auto results = decoding::decode(run.model, sources, options);
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t line = before + i + 1;
    const auto readings =
        options.sampling ? decoding::texts(target, results[i]) : decoding::distinct_texts(target, results[i]);
    const bool empty = sources[i].size() == 1;  // the end mark alone has one translation
    if (!empty) warn_of_short_list(line, results[i].size(), readings.size(), options.n_best);
    if (arguments.format == "json") {
      print_json(line, lines[i], target, readings);
    } else {
      print_text(line, readings, options.n_best);
    }
  }
  std::cout << std::flush;
}

int translate(const TranslateArguments& arguments, const Flags& flags) {
  if (arguments.threads > 0) at::set_num_threads(arguments.threads);
  checkpoint::TrainedRun run = open_run(arguments.run, arguments.device, arguments.weights);
  decoding::DecodeOptions options = decode_options(arguments, flags, run);
  decoding::check(options);
  const auto most = static_cast<size_t>(std::max(kLinesAtOnce, 4 * options.search.batch_sentences));
  LineReader reader(arguments.input, "--input");
  for (auto lines = reader.next(most); !lines.empty(); lines = reader.next(most)) {
    translate_lines(arguments, run, lines, options);
    options.first_sentence += static_cast<int64_t>(lines.size());
  }
  return done;
}

}  // namespace

void add_translate(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<TranslateArguments>();
  CLI::App* verb = app.add_subcommand(
      "translate", "Translate lines with a trained run (stdin to stdout); an empty line stays empty");
  Flags f{};
  verb->add_option("--run", a->run, "folder of a trained run")->check(not_empty())->required();
  verb->add_option("--input", a->input, "file of source lines, - for stdin")->check(not_empty())->capture_default_str();
  verb->add_option("--format", a->format, "text, or json: one object a line with scores and pieces")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  verb->add_option(
          "--n-best", a->n_best,
          "hypotheses a line, at most the beam; text then has three fields with tabs between them, line number, "
          "score (what the search ranks by: the log-probability after the length penalty) and text, none of them "
          "quoted. Of equal texts the best stays, a shorter list is warned of; "
          "samples may repeat")
      ->transform(count_from(1))
      ->capture_default_str();
  f.beam = verb->add_option("--beam", a->search.beam, "beam size, 1 = greedy (default: the run's)")
               ->transform(allowed_for("decoding.beam"));
  f.penalty = verb->add_option("--length-penalty", a->search.length_penalty, "gnmt, average or none")
                  ->check(CLI::IsMember({"gnmt", "average", "none"}));
  f.alpha = verb->add_option("--alpha", a->search.alpha, "exponent of the length penalty")
                ->transform(allowed_for("decoding.alpha"));
  f.min_length = verb->add_option("--min-length", a->search.min_length,
                                  "tokens before the end mark is allowed; the largest length beats it")
                     ->transform(allowed_for("decoding.min_length"));
  f.ratio = verb->add_option("--max-length-ratio", a->search.max_length_ratio,
                             "at most ratio * source length + extra tokens, the end mark included; at least one")
                ->transform(allowed_for("decoding.max_length_ratio"));
  f.extra = verb->add_option("--max-length-extra", a->search.max_length_extra, "see --max-length-ratio")
                ->transform(allowed_for("decoding.max_length_extra"));
  f.batch = verb->add_option("--batch-sentences", a->search.batch_sentences, "sentences decoded together")
                ->transform(allowed_for("decoding.batch_sentences"));
  f.allow_unk =
      verb->add_flag("--allow-unk", a->allow_unk,
                     "the unknown piece (\u2047) may come out (default: the run's); others without text never do")
          ->disable_flag_override();
  f.no_unk = verb->add_flag("--no-unk", a->no_unk, "the unknown piece may not come out")
                 ->disable_flag_override()
                 ->excludes(f.allow_unk);
  f.temperature =
      verb->add_option("--temperature", a->sampling.temperature, "sample instead of searching, at this temperature")
          ->transform(number_between(1e-6, 1e6));
  f.top_k = verb->add_option("--top-k", a->sampling.top_k, "sample from the k likeliest pieces; 0 = all")
                ->transform(count_from(0));
  f.top_p = verb->add_option("--top-p", a->sampling.top_p,
                             "sample from the smallest set that reaches this probability, above 0 and at most 1")
                ->transform(number_above(0, 1));
  f.seed = verb->add_option("--seed", a->sampling.seed, "seed of the sampling")->transform(count_from(0));
  verb->add_option("--weights", a->weights, "checkpoint: best, last or average (default: the one that was tested)")
      ->check(CLI::IsMember({"best", "last", "average"}));
  verb->add_option("--device", a->device, "cpu, cuda, cuda:N or auto")->capture_default_str();
  verb->add_option("--threads", a->threads, "threads (default: the machine's)")->transform(thread_count());
  verb->callback([a, f, &exit_code] { exit_code = translate(*a, f); });
}

}  // namespace attnlab::app
