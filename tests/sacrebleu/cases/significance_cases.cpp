#include "sacrebleu/bootstrap.h"
#include "sacrebleu/randomisation.h"
#include "sacrebleu/significance.h"
#include "tests/sacrebleu/cases/make_metric.h"
#include "tests/sacrebleu/cases/run_cases.h"

namespace sacrebleu::cases {
namespace {

using Systems = std::vector<std::vector<std::string>>;

void check_draws(const Json& corpus, Report& report) {
  const auto lines = corpus["n"].get<std::size_t>();
  Pcg64 for_indices("12345");
  draw_resamples(for_indices, 10, lines, [&](std::size_t, const std::vector<std::uint32_t>& rows) {
    const auto& head = corpus["bs_indices_head_seed12345"];
    report.numbers("first indices", head, {rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(head.size())});
  });
  Pcg64 for_coins("12345");
  BoolStream coins(for_coins);
  std::vector<double> head;
  for (std::size_t i = 0; i < corpus["ar_pos_sel_head_seed12345"].size(); ++i) head.push_back(coins.next(1));
  report.numbers("first coin tosses", corpus["ar_pos_sel_head_seed12345"], head);
}

void check_optional(const std::string& what, const Json& expected, const std::optional<double>& actual,
                    Report& report) {
  if (expected.is_null() != !actual.has_value()) {
    report.differ(what, expected.dump(), actual ? std::to_string(*actual) : "null");
  } else if (actual) {
    report.number(what, expected, *actual);
  }
}

void check_paired(const std::string& which, const Json& expected, const Metric& metric, const Systems& systems,
                  const Streams& references, PairedOptions options, Report& report) {
  std::vector<NamedSystem> named;
  for (std::size_t i = 0; i < systems.size(); ++i) named.push_back({"s" + std::to_string(i), &systems[i]});
  const auto columns = paired_test(named, {&metric}, References(references), options);
  report.text(which + " signature", expected["signature"], columns.front().signature.format());
  for (std::size_t i = 0; i < systems.size(); ++i) {
    const Json& wanted = expected["results"].at(i);
    const PairedResult& result = columns.front().results.at(i);
    const std::string what = which + " system " + std::to_string(i) + ' ';
    report.number(what + "score", wanted["score"], result.score);
    check_optional(what + "p", wanted["p_value"], result.p_value, report);
    const auto part = [&](double Interval::*member) {
      return result.interval ? std::optional((*result.interval).*member) : std::nullopt;
    };
    check_optional(what + "mean", wanted["mean"], part(&Interval::mean), report);
    check_optional(what + "ci", wanted["ci"], part(&Interval::half_width), report);
  }
}

int trials_of(const std::string& signature) {
  return std::stoi(signature.substr(signature.find("ar:") + 3));
}

void check_rules(const Json& test, const Json& expected, NumpyRules rules, const Metric& metric, const Systems& systems,
                 const Streams& references, Report& report) {
  const std::string prefix = rules == NumpyRules::numpy1 ? "numpy1 " : "numpy2 ";
  const Seed seed = test["seed"].get<std::string>();
  CorpusOptions corpus;
  corpus.bootstrap_samples = test["bs_n"];
  corpus.seed = seed;
  corpus.numpy = rules;
  const Score score = metric.evaluate(systems.front(), References(references), corpus);
  report.number(prefix + "mean", expected["ci_mean"], score.confidence->mean);
  report.number(prefix + "ci", expected["ci"], score.confidence->half_width);
  report.text(prefix + "signature", expected["ci_signature"], score.signature.format());

  PairedOptions paired;
  paired.seed = seed;
  paired.numpy = rules;
  for (const auto& [key, wanted] : expected.items()) {
    if (key == "bs") {
      paired.test = PairedTest::bootstrap;
      paired.samples = test["bs_n"];
      paired.confidence_samples = -1;
    } else if (key.rfind("ar", 0) == 0) {
      paired.test = PairedTest::randomisation;
      paired.samples = trials_of(wanted["signature"]);
      const auto at = key.find("_with_ci");
      paired.confidence_samples = at == std::string::npos ? -1 : std::stoi(key.substr(at + 8));
    } else if (key == "bs_scores_head") {
      std::vector<SampleScore> samples(10);
      const SingleStatistics single(metric.statistics(systems.front(), References(references)));
      Pcg64 generator(seed);
      const std::size_t lines = systems.front().size();
      draw_resamples(generator, 10, lines, [&](std::size_t first, const std::vector<std::uint32_t>& rows) {
        score_resamples(metric, single, first, rows, lines, rules, 1, samples);
      });
      std::vector<double> head;
      for (const auto& sample : samples) head.push_back(sample.value);
      report.numbers(prefix + key, wanted, head);
      continue;
    } else {
      continue;
    }
    check_paired(prefix + key, wanted, metric, systems, references, paired, report);
  }
}

}  // namespace

void run_significance_cases(const Json& cases, Report& report) {
  for (const auto& corpus : cases) {
    const std::string size = std::to_string(corpus["n"].get<int>()) + " lines";
    report.begin("random draws, " + size);
    check_draws(corpus, report);
    const auto systems = corpus["systems"].get<Systems>();
    const Streams references = reference_streams(corpus["refs"]);
    for (const auto& test : corpus["tests"]) {
      const auto metric = make_metric(test["metric"], test["options"]);
      for (const auto rules : {NumpyRules::numpy1, NumpyRules::numpy2}) {
        const std::string key = rules == NumpyRules::numpy1 ? "numpy1" : "numpy2";
        if (!test["expected"].contains(key)) continue;
        report.begin(test["metric"].get<std::string>() + ' ' + test["options"].dump() + ", " + size + ", " + key);
        check_rules(test, test["expected"][key], rules, *metric, systems, references, report);
      }
    }
  }
}

}  // namespace sacrebleu::cases
