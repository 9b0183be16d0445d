// attnlab likelihood --run DIR --source F --target F: log-probabilities of given targets.

#include "experiments/decoding/likelihood.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/checked_option.h"
#include "app/open_run.h"
#include "app/text_input.h"
#include "app/verbs.h"
#include "support/error.h"
#include "support/number_text.h"
#include "tokenizer/blanks.h"

namespace attnlab::app {

namespace {

struct LikelihoodArguments {
  std::string run, source, target, device = "auto", weights, format = "text";
  int threads = 0;
};

constexpr size_t kLinesAtOnce = 10'000;

/// A line for each pair: total, tokens, perplexity, then piece:log-probability for each piece.
void print(const tokenizer::Tokenizer& tokenizer, const data::Ids& ids, const decoding::Likelihood& likelihood,
           size_t line, bool json) {
  const double count = static_cast<double>(ids.size());
  if (json) {
    nlohmann::ordered_json entry = {{"line", line}, {"log_probability", likelihood.total}, {"tokens", ids.size()}};
    for (size_t i = 0; i < ids.size(); ++i) entry["pieces"].push_back({tokenizer.piece(ids[i]), likelihood.tokens[i]});
    fmt::print("{}\n", entry.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  std::string pieces;
  for (size_t i = 0; i < ids.size(); ++i)
    pieces += fmt::format("{}{}:{:.4f}", i == 0 ? "" : " ", tokenizer::as_one_field(tokenizer.piece(ids[i])),
                          likelihood.tokens[i]);
  fmt::print("{:.6f}\t{}\t{}\t{}\n", likelihood.total, ids.size(), number_text(std::exp(-likelihood.total / count), 4),
             pieces);
}

/// Scores and prints the pairs from `first` on, as many as are taken at once.
void score_lines(const LikelihoodArguments& arguments, checkpoint::TrainedRun& run,
                 const std::vector<std::string>& sources, const std::vector<std::string>& targets, size_t first) {
  const size_t count = std::min(kLinesAtOnce, sources.size() - first);
  const auto ids_of = [&](const tokenizer::Tokenizer& tokenizer, const std::vector<std::string>& lines,
                          const std::string& what) {
    return encode_lines(tokenizer, std::span(lines).subspan(first, count), run.config.data.max_pieces, what, first);
  };
  auto source_ids = ids_of(run.tokenizers.source, sources, "--source");
  auto target_ids = ids_of(run.tokenizers.target, targets, "--target");
  std::vector<data::EncodedPair> pairs;
  for (size_t i = 0; i < count; ++i) pairs.push_back({std::move(source_ids[i]), std::move(target_ids[i])});
  const auto results =
      decoding::likelihood(run.model, pairs, run.tokenizers.target.bos(), run.config.training.batch_tokens);
  for (size_t i = 0; i < count; ++i)
    print(run.tokenizers.target, pairs[i].target, results[i], first + i + 1, arguments.format == "json");
}

int likelihood(const LikelihoodArguments& arguments) {
  require_one_standard_input(std::array{arguments.source, arguments.target}, "--source and --target");
  if (arguments.threads > 0) at::set_num_threads(arguments.threads);
  checkpoint::TrainedRun run = open_run(arguments.run, arguments.device, arguments.weights);
  const auto sources = read_lines(arguments.source, "--source");
  const auto targets = read_lines(arguments.target, "--target");
  if (sources.size() != targets.size()) {
    throw Error(
        fmt::format("--source {} has {} lines, --target {} has {}: they must be the same sentences, line by line",
                    arguments.source, sources.size(), arguments.target, targets.size()));
  }
  for (size_t first = 0; first < sources.size(); first += kLinesAtOnce)
    score_lines(arguments, run, sources, targets, first);
  return done;
}

}  // namespace

void add_likelihood(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<LikelihoodArguments>();
  CLI::App* verb =
      app.add_subcommand("likelihood", "Log-probability (nats) of given targets, per sentence and per piece");
  verb->add_option("--run", a->run, "folder of a trained run")->check(not_empty())->required();
  verb->add_option("--source", a->source, "file of source lines")->check(not_empty())->required();
  verb->add_option("--target", a->target, "file of target lines")->check(not_empty())->required();
  verb->add_option("--format", a->format, "text: total, pieces, perplexity, piece:log-probability ...; or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  verb->add_option("--weights", a->weights, "checkpoint: best, last or average (default: the one that was tested)")
      ->check(CLI::IsMember({"best", "last", "average"}));
  verb->add_option("--device", a->device, "cpu, cuda, cuda:N or auto")->capture_default_str();
  verb->add_option("--threads", a->threads, "threads (default: the machine's)")->transform(thread_count());
  verb->callback([a, &exit_code] { exit_code = likelihood(*a); });
}

}  // namespace attnlab::app
