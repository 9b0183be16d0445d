#include "tests/sacrebleu/cases/make_metric.h"
#include "tests/sacrebleu/cases/run_cases.h"

namespace sacrebleu::cases {
namespace {

void check_bleu(const BleuScore& score, const Json& extra, Report& report) {
  report.numbers("counts", extra.at("counts"), score.counts);
  report.numbers("totals", extra.at("totals"), score.totals);
  report.numbers("precisions", extra.at("precisions"), score.precisions);
  report.number("bp", extra.at("bp"), score.bp);
  report.number("sys_len", extra.at("sys_len"), static_cast<double>(score.sys_len));
  report.number("ref_len", extra.at("ref_len"), static_cast<double>(score.ref_len));
  report.number("ratio", extra.at("ratio"), score.ratio);
}

void check_strings(const Score& score, const Json& extra, Report& report) {
  report.text("signature", extra.at("signature"), score.signature.format());
  report.text("short signature", extra.at("signature_short"), score.signature.format(/*shorter=*/true));
  report.text("text", extra.at("text_w2"), score.format());
  if (extra.contains("json_w1"))
    report.text("json", extra["json_w1"], score.format({1, false, ScoreFormat::json, false}));
  if (extra.contains("name")) report.text("name", extra["name"], score.name);
}

void check_preprocessing(const Metric& metric, const Json& test, Report& report) {
  const Json& extra = test["extra"];
  const auto check = [&](const std::string& what, const Json& lines, const Json& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!expected[i].is_null())
        report.text(what + ' ' + std::to_string(i), expected[i], metric.preprocess(lines[i].get<std::string>()));
    }
  };
  if (extra.contains("pre_hyps")) check("tokenised hypothesis", test["hyps"], extra["pre_hyps"]);
  for (std::size_t k = 0; extra.contains("pre_refs") && k < extra["pre_refs"].size(); ++k) {
    check("tokenised reference of stream " + std::to_string(k), test["refs"][k], extra["pre_refs"][k]);
  }
}

/// The oracle scores single lines with effective order.
std::unique_ptr<Metric> make_sentence_metric(const Json& test) {
  Json options = test["options"];
  if (test["metric"] == "bleu") options["effective_order"] = true;
  return make_metric(test["metric"], options);
}

void check_segments(const Metric& metric, const Json& test, const std::vector<std::string>& hypotheses,
                    const Streams& references, Report& report) {
  const Json& extra = test["extra"];
  const auto sentence_metric = make_sentence_metric(test);
  CorpusOptions cut;
  cut.length_mismatch = LengthMismatch::cut;
  if (extra.contains("segment_stats")) {
    const Statistics all = metric.statistics(hypotheses, References(references), cut);
    for (std::size_t i = 0; i < extra["segment_stats"].size(); ++i) {
      const auto row = all.row(i);
      report.numbers("statistics of line " + std::to_string(i), extra["segment_stats"][i], {row.begin(), row.end()});
    }
  }
  for (std::size_t i = 0; extra.contains("sentence_scores") && i < extra["sentence_scores"].size(); ++i) {
    const Json& expected = extra["sentence_scores"][i];
    const std::string what = "sentence score " + std::to_string(i);
    Streams line;
    for (const auto& stream : references) line.push_back({stream.at(i)});
    try {
      const double score = sentence_metric->evaluate({hypotheses[i]}, References(line)).score;
      report.number(what, expected, score);
    } catch (const Error& error) {
      report.text(what, expected, python_name(error.kind()));
    }
  }
}

void run(const Json& test, Report& report) {
  const Json& extra = test["extra"];
  const auto hypotheses = test["hyps"].get<std::vector<std::string>>();
  const Streams references = reference_streams(test["refs"]);
  const auto metric = make_metric(test["metric"], test["options"]);
  CorpusOptions cut;
  cut.length_mismatch = LengthMismatch::cut;
  if (extra.contains("error")) {
    check_segments(*metric, test, hypotheses, references, report);
    try {
      report.differ("error", extra["error"].dump(),
                    "a score of " + metric->evaluate(hypotheses, References(references), cut).format());
    } catch (const Error& error) {
      report.text("error", extra["error"], python_name(error.kind()));
    }
    return;
  }
  const Score score = metric->evaluate(hypotheses, References(references), cut);
  report.number("score", test["score"], score.score);
  check_strings(score, extra, report);
  if (const auto* bleu = dynamic_cast<const BLEU*>(metric.get())) {
    check_bleu(bleu->corpus_score(hypotheses, References(references), cut), extra, report);
  }
  if (const auto* ter = dynamic_cast<const TER*>(metric.get())) {
    const TerScore full = ter->corpus_score(hypotheses, References(references), cut);
    report.number("num_edits", extra.at("num_edits"), static_cast<double>(full.num_edits));
    report.number("ref_length", extra.at("ref_length"), full.ref_length);
  }
  check_preprocessing(*metric, test, report);
  check_segments(*metric, test, hypotheses, references, report);
}

}  // namespace

void run_metric_cases(const Json& cases, Report& report) {
  for (const auto& test : cases) {
    report.begin(test["name"]);
    try {
      run(test, report);
    } catch (const std::exception& error) {
      report.differ("error", "none", error.what());
    }
  }
}

void run_ter_cases(const Json& cases, Report& report) {
  const TER ter;
  for (const auto& test : cases) {
    report.begin(test["name"]);
    const TerScore score = ter.sentence_score(test["hyp"], {test["ref"].get<std::string>()});
    report.number("num_edits", test["num_edits"], static_cast<double>(score.num_edits));
    report.number("ref_length", test["ref_length"], score.ref_length);
  }
}

}  // namespace sacrebleu::cases
