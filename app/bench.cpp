// attnlab bench train | decode: speed on this machine, without training anything.

#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/bench_translation.h"
#include "app/checked_option.h"
#include "app/verbs.h"
#include "experiments/data/prepared_batches.h"
#include "experiments/decoding/benchmark.h"
#include "experiments/training/benchmark.h"
#include "experiments/training/benchmark_server.h"
#include "experiments/training/device.h"
#include "support/error.h"

namespace attnlab::app {

namespace {

using Json = nlohmann::ordered_json;

struct BenchArguments {
  std::string size = "tiny", precision = "fp32", batches, device = "cpu", run, input;
  int64_t rounds = 3, steps = 4, sentences = 1000, beam = 1;
  int threads = 0;
  bool json = false, serve = false;
};

data::PreparedBatches read_batches(const std::string& file) {
  try {
    return data::read_prepared_batches(file);
  } catch (const Error& error) {
    throw Error(fmt::format("--batches: {}", error.what()));
  }
}

training::BenchmarkOptions train_options(const BenchArguments& arguments) {
  training::BenchmarkOptions options;
  options.size = arguments.size;
  options.precision = training::precision(arguments.precision);
  options.device = arguments.device;
  options.rounds = arguments.rounds;
  options.steps_per_round = arguments.steps;
  if (arguments.batches.empty()) {
    options.batches = training::synthetic_batches(options.batches_needed(), options.vocab, /*seed=*/1);
  } else {
    const auto prepared = read_batches(arguments.batches);
    options.vocab = std::max(options.vocab, prepared.vocab_size);
    options.pad = prepared.pad;
    for (const auto& rows : prepared.batches) {
      options.batches.push_back(data::make_batch(prepared.pairs, rows, prepared.pad, prepared.bos));
    }
  }
  return options;
}

/// Rounds that differ by more are not of one machine at rest.
constexpr double kCalm = 1.3;

int bench_train(const BenchArguments& arguments) {
  training::choose_device(arguments.device, "--device");  // before anything takes time
  if (arguments.threads > 0) at::set_num_threads(arguments.threads);
  const auto options = train_options(arguments);
  if (arguments.serve) return training::serve(std::cin, std::cout, options);
  const auto result = training::benchmark(options);
  if (arguments.json) {
    const Json out = {{"size", arguments.size},
                      {"precision", arguments.precision},
                      {"device", arguments.device},
                      {"threads", at::get_num_threads()},
                      {"parameters", result.parameters},
                      {"tokens_per_second", result.tokens_per_second},
                      {"slowest", result.slowest},
                      {"fastest", result.fastest},
                      {"matrix_products_tokens_per_second", result.products_per_second},
                      {"ratio", result.ratio},
                      {"lowest_ratio", result.lowest_ratio},
                      {"highest_ratio", result.highest_ratio},
                      {"loss", result.loss},
                      {"peak_mib", result.peak_mib}};
    fmt::print("{}\n", out.dump());
  } else {
    fmt::print("training {} {} on {}, {} threads, {} parameters\n", arguments.size, arguments.precision,
               arguments.device, at::get_num_threads(), result.parameters);
    fmt::print("  {:>10.0f} target tokens/s  (rounds: {:.0f} to {:.0f})\n", result.tokens_per_second, result.slowest,
               result.fastest);
    fmt::print("  {:>10.0f} target tokens/s for the same steps' matrix products alone\n", result.products_per_second);
    fmt::print("  {:>9.0f}% of the speed of the products  (rounds: {:.0f} to {:.0f} %);  peak memory {:.0f} MiB\n",
               100 * result.ratio, 100 * result.lowest_ratio, 100 * result.highest_ratio, result.peak_mib);
    if (result.fastest > kCalm * result.slowest || result.highest_ratio > kCalm * result.lowest_ratio)
      fmt::print("  the rounds differ much: something else is using this machine, and these numbers mean little\n");
  }
  return done;
}

int bench_decode(const BenchArguments& arguments) {
  const torch::Device device = training::choose_device(arguments.device, "--device");
  if (arguments.threads > 0) at::set_num_threads(arguments.threads);
  if (!arguments.run.empty())
    return serve_translation({arguments.run, arguments.input, arguments.device, arguments.beam});
  decoding::BenchmarkOptions options;
  options.model = training::options_of_size(arguments.size, options.vocab);
  options.sentences = arguments.sentences;
  options.rounds = arguments.rounds;
  options.search.beam = arguments.beam;
  options.device = device;
  const auto report = decoding::benchmark(options);
  if (arguments.json) {
    const Json out = {{"size", arguments.size},
                      {"beam", arguments.beam},
                      {"device", arguments.device},
                      {"threads", at::get_num_threads()},
                      {"sentences", arguments.sentences},
                      {"tokens", report.tokens},
                      {"sentences_per_second", report.median_sentences_per_second()},
                      {"tokens_per_second", report.median_tokens_per_second()}};
    fmt::print("{}\n", out.dump());
  } else {
    fmt::print("decoding {} with beam {} on {}, {} threads: {} sentences, {} tokens\n", arguments.size, arguments.beam,
               arguments.device, at::get_num_threads(), arguments.sentences, report.tokens);
    fmt::print("  {:>10.0f} sentences/s\n  {:>10.0f} tokens/s\n", report.median_sentences_per_second(),
               report.median_tokens_per_second());
  }
  return done;
}

void add_common(CLI::App& verb, BenchArguments& arguments) {
  verb.add_option("--size", arguments.size,
                  "tiny (4+4 layers, D 128), small (3+3, 256), base (6+6, 512) or big (6+6, 1024)")
      ->check(CLI::IsMember({"tiny", "small", "base", "big"}))
      ->capture_default_str();
  verb.add_option("--rounds", arguments.rounds, "measurements; the median is printed")
      ->transform(count_between(1, 10000))
      ->capture_default_str();
  verb.add_option("--device", arguments.device, "cpu, cuda, cuda:N or auto")->capture_default_str();
  verb.add_option("--threads", arguments.threads, "threads (default: the machine's)")->transform(thread_count());
  verb.add_flag("--json", arguments.json, "one JSON object");
}

}  // namespace

void add_bench(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<BenchArguments>();
  CLI::App* verb = app.add_subcommand("bench", "Speed of training and decoding on this machine");
  verb->require_subcommand(1);

  CLI::App* train = verb->add_subcommand("train", "Tokens/s of training steps, and of their matrix products alone");
  add_common(*train, *a);
  train->add_option("--precision", a->precision, "fp32 or bf16")
      ->check(CLI::IsMember({"fp32", "bf16"}))
      ->capture_default_str();
  train->add_option("--batches", a->batches, ".npz of prepared batches (default: synthetic ones of 4096 target tokens)")
      ->check(not_empty());
  train->add_option("--steps", a->steps, "steps of one measurement")
      ->transform(count_between(1, 10000))
      ->capture_default_str();
  train->add_flag("--serve", a->serve,
                  "answer `run N` lines on stdin with JSON lines, to be timed in turn with other programs");
  train->callback([a, &exit_code] { exit_code = bench_train(*a); });

  CLI::App* decode = verb->add_subcommand("decode", "Sentences/s and tokens/s of decoding with random weights");
  add_common(*decode, *a);
  decode->add_option("--beam", a->beam, "beam size, 1 = greedy")
      ->transform(allowed_for("decoding.beam"))
      ->capture_default_str();
  decode->add_option("--sentences", a->sentences, "sentences of one round")
      ->transform(count_between(1, 1'000'000))
      ->capture_default_str();
  CLI::Option* run = decode->add_option("--run", a->run,
                                        "folder of a trained run: answer `run N` lines on stdin with JSON lines, to be "
                                        "timed in turn with other programs; at most 60 tokens, beams by average score");
  CLI::Option* input = decode->add_option("--input", a->input, "with --run: file of source lines");
  run->check(not_empty());
  input->check(not_empty());
  run->needs(input);
  input->needs(run);
  decode->callback([a, &exit_code] { exit_code = bench_decode(*a); });
}

}  // namespace attnlab::app
