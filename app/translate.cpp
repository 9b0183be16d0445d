// attnlab translate --run DIR < in > out: one line of output for each line of input, in its order.

#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/checked_option.h"
#include "app/open_run.h"
#include "app/text_input.h"
#include "app/verbs.h"
#include "experiments/decoding/decode.h"
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
};

void print_text(const tokenizer::Tokenizer& target, const std::vector<std::vector<decoding::Hypothesis>>& results,
                int64_t n_best) {
  std::string out;
  for (size_t line = 0; line < results.size(); ++line) {
    for (const auto& hypothesis : results[line]) {
      if (n_best > 1) out += fmt::format("{}\t{:.6f}\t", line + 1, hypothesis.score);
      out += tokenizer::as_one_field(target.decode(hypothesis.ids)) + "\n";
    }
  }
  std::cout << out << std::flush;
}

void print_json(const tokenizer::Tokenizer& target, const std::vector<std::string>& lines,
                const std::vector<std::vector<decoding::Hypothesis>>& results) {
  for (size_t line = 0; line < results.size(); ++line) {
    nlohmann::ordered_json entry;
    entry["line"] = line + 1;
    entry["source"] = lines[line];
    for (const auto& hypothesis : results[line]) {
      nlohmann::ordered_json one;
      one["text"] = target.decode(hypothesis.ids);
      one["score"] = hypothesis.score;
      one["log_probability"] = hypothesis.log_probability;
      one["finished"] = hypothesis.finished;
      one["pieces"] = nlohmann::ordered_json::array();
      for (int32_t id : hypothesis.ids) one["pieces"].push_back(target.piece(id));
      entry["hypotheses"].push_back(one);
    }
    std::cout << entry.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  }
  std::cout << std::flush;
}

struct Flags {
  CLI::Option *beam, *penalty, *alpha, *min_length, *ratio, *extra, *batch, *temperature, *top_k, *top_p, *seed;
};

int translate(const TranslateArguments& arguments, const Flags& flags) {
  if (arguments.threads > 0) at::set_num_threads(arguments.threads);
  checkpoint::TrainedRun run = open_run(arguments.run, arguments.device, arguments.weights);
  decoding::DecodeOptions options;
  options.search = run.config.decoding;
  if (*flags.beam) options.search.beam = arguments.search.beam;
  if (*flags.penalty) options.search.length_penalty = arguments.search.length_penalty;
  if (*flags.alpha) options.search.alpha = arguments.search.alpha;
  if (*flags.min_length) options.search.min_length = arguments.search.min_length;
  if (*flags.ratio) options.search.max_length_ratio = arguments.search.max_length_ratio;
  if (*flags.extra) options.search.max_length_extra = arguments.search.max_length_extra;
  if (*flags.batch) options.search.batch_sentences = arguments.search.batch_sentences;
  const bool samples = *flags.temperature || *flags.top_k || *flags.top_p || *flags.seed;
  if (samples && (*flags.beam || *flags.penalty || *flags.alpha))
    throw Error(
        "--temperature, --top-k, --top-p and --seed sample; --beam, --length-penalty and --alpha search: give one "
        "kind");
  if (samples) options.sampling = arguments.sampling;
  options.n_best = arguments.n_best;
  options.bos = run.tokenizers.target.bos();
  options.eos = run.tokenizers.target.eos();

  const std::vector<std::string> lines = read_lines(arguments.input, "--input");
  const auto sources = encode_lines(run.tokenizers.source, lines, run.config.data.max_pieces, "--input");
  const auto results = decoding::decode(run.model, sources, options);
  if (arguments.format == "json") {
    print_json(run.tokenizers.target, lines, results);
  } else {
    print_text(run.tokenizers.target, results, arguments.n_best);
  }
  return done;
}

}  // namespace

void add_translate(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<TranslateArguments>();
  CLI::App* verb = app.add_subcommand(
      "translate", "Translate lines with a trained run (stdin to stdout); an empty line stays empty");
  Flags f{};
  verb->add_option("--run", a->run, "folder of a trained run")->required();
  verb->add_option("--input", a->input, "file of source lines, - for stdin")->capture_default_str();
  verb->add_option("--format", a->format, "text, or json: one object a line with scores and pieces")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  verb->add_option("--n-best", a->n_best,
                   "hypotheses a line; text then has three fields with tabs between them, line number, score and text, "
                   "none of them quoted")
      ->check(count_from(1))
      ->capture_default_str();
  f.beam = verb->add_option("--beam", a->search.beam, "beam size, 1 = greedy (default: the run's)")
               ->check(allowed_for("decoding.beam"));
  f.penalty = verb->add_option("--length-penalty", a->search.length_penalty, "gnmt, average or none")
                  ->check(CLI::IsMember({"gnmt", "average", "none"}));
  f.alpha = verb->add_option("--alpha", a->search.alpha, "exponent of the length penalty")
                ->check(allowed_for("decoding.alpha"));
  f.min_length = verb->add_option("--min-length", a->search.min_length,
                                  "tokens before the end mark is allowed; the largest length beats it")
                     ->check(allowed_for("decoding.min_length"));
  f.ratio =
      verb->add_option("--max-length-ratio", a->search.max_length_ratio, "at most ratio * source length + extra tokens")
          ->check(allowed_for("decoding.max_length_ratio"));
  f.extra = verb->add_option("--max-length-extra", a->search.max_length_extra, "see --max-length-ratio")
                ->check(allowed_for("decoding.max_length_extra"));
  f.batch = verb->add_option("--batch-sentences", a->search.batch_sentences, "sentences decoded together")
                ->check(allowed_for("decoding.batch_sentences"));
  f.temperature =
      verb->add_option("--temperature", a->sampling.temperature, "sample instead of searching, at this temperature")
          ->check(number_between(1e-6, 1e6));
  f.top_k = verb->add_option("--top-k", a->sampling.top_k, "sample from the k likeliest pieces; 0 = all")
                ->check(count_from(0));
  f.top_p = verb->add_option("--top-p", a->sampling.top_p,
                             "sample from the smallest set that reaches this probability, in (0, 1]")
                ->check(number_between(0, 1));
  f.seed = verb->add_option("--seed", a->sampling.seed, "seed of the sampling")->check(count_from(0));
  verb->add_option("--weights", a->weights, "checkpoint: best, last or average (default: the one that was tested)")
      ->check(CLI::IsMember({"best", "last", "average"}));
  verb->add_option("--device", a->device, "cpu, cuda, cuda:N or auto")->capture_default_str();
  verb->add_option("--threads", a->threads, "threads (default: the machine's)")->check(thread_count());
  verb->callback([a, f, &exit_code] { exit_code = translate(*a, f); });
}

}  // namespace attnlab::app
