#include "experiments/results/table.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "experiments/sweep/own_files.h"
#include "support/error.h"
#include "support/files.h"
#include "tests/experiments/results/sweep_on_disk.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::results {
namespace {

using tests::mentions;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST_CASE("The Markdown table reads well as it stands", "[results]") {
  SweepOnDisk sweep;
  fill_heads_and_norm(sweep);
  const auto text = render_table(sweep.write(), Format::markdown);
  INFO(text);
  const auto table = read_file(ATTNLAB_TESTS_DIR "/experiments/results/data/heads_and_norm.md", "expected table");
  CHECK(text.substr(0, table.size()) == table);
  CHECK(mentions(text, "- Δ: mean difference to the cell that is equal in all else with model.heads = 4",
                 "± standard deviation", "BLEU: sacreBLEU signature nrefs:1|case:mixed|tok:13a",
                 "label smoothing: 0.1 over vocab", "below 3 seeds nothing is called significant"));
}

TEST_CASE("One seed shows no spread and no interval", "[results]") {
  SweepOnDisk sweep;
  sweep.manifest.name = "one";
  sweep.manifest.baseline = {{"model.heads", 4}};
  sweep.add({{"model.heads", 4}}, 1, {{"test.bleu", 50.0}});
  sweep.add({{"model.heads", 1}}, 1, {{"test.bleu", 51.5}});
  const auto text = render_table(sweep.write(), Format::markdown);
  const auto lines = lines_of(text);
  CHECK(lines[2] == "| heads |      BLEU (n) |        Δ |");
  CHECK(lines[4] == "|     4 |     50.00 (1) | baseline |");
  CHECK(lines[5] == "|     1 | **51.50 (1)** |    +1.50 |");
  CHECK(mentions(text, "one seed cannot tell an effect from chance"));
  CHECK_FALSE(mentions(text, "±"));
  CHECK_FALSE(mentions(text, "significant"));
}

TEST_CASE("Columns of heads are explained where they are shown", "[results]") {
  SweepOnDisk sweep;
  sweep.add({{"heads", 1}}, 1, {{"test.bleu", 50.0}, {"heads.alignment_error_rate", 12.0}});
  const auto text = render_table(sweep.write(), Format::markdown);
  CHECK(mentions(text, "- best head AER %: alignment error rate of the best head of cross-attention, in percent."));
  CHECK_FALSE(mentions(text, "coref."));
  sweep.add({{"heads", 2}}, 1, {{"test.bleu", 51.0}, {"heads.coreference", 80.0}});
  CHECK(mentions(render_table(sweep.write(), Format::markdown),
                 "- best head coref. %: how often the best head looks from a pronoun to its antecedent, in percent."));
}

TEST_CASE("Clear effects over three seeds have stars, and less is better where the goal says so", "[results]") {
  SweepOnDisk sweep;
  sweep.manifest.metric = "test.perplexity";
  sweep.manifest.goal = sweep::Goal::minimize;
  sweep.manifest.baseline = {{"heads", 4}};
  for (int seed = 1; seed <= 3; ++seed) {
    sweep.add({{"heads", 4}}, seed, {{"test.perplexity", 5.0}});
    sweep.add({{"heads", 1}}, seed, {{"test.perplexity", 15.0 + 0.1 * seed}});
  }
  const auto lines = lines_of(render_table(sweep.write(), Format::markdown));
  // differences 10.1, 10.2, 10.3: mean 10.2, reach 4.302653 * 0.1 / sqrt(3) = 0.248
  CHECK(mentions(lines[5], "+10.200 [9.952, 10.448]***"));
  CHECK(mentions(lines[4], "**5.000 ± 0.000 (3)**"));
  CHECK_FALSE(mentions(lines[5], "**15"));
}

TEST_CASE("Perplexities of runs that went wrong are short in every format", "[results]") {
  SweepOnDisk sweep;
  sweep.manifest.metric = "test.perplexity";
  sweep.manifest.goal = sweep::Goal::minimize;
  sweep.manifest.baseline = {{"heads", 4}};
  const double infinite = std::numeric_limits<double>::infinity();
  for (const int seed : {1, 2}) {
    sweep.add({{"heads", 4}}, seed, {{"test.perplexity", 5.0}});
    sweep.add({{"heads", 2}}, seed, {{"test.perplexity", 6.4516e33}});
    sweep.add({{"heads", 1}}, seed, {{"test.perplexity", seed == 1 ? infinite : 7.0}});
  }
  const auto& out = sweep.write();
  const auto lines = lines_of(render_table(out, Format::markdown));
  CHECK(mentions(lines[4], "|     4 |", "**5.000 ± 0.000 (2)**"));
  CHECK(mentions(lines[5], "6.45e+33 ± 0.000 (2)"));
  CHECK(mentions(lines[6], "|     1 |", " inf (2) |"));
  const auto csv = lines_of(render_table(out, Format::csv));
  CHECK(mentions(csv[2], ",6.4516e+33,0,2,"));
  CHECK(mentions(csv[3], ",inf,,2,"));
  const Json json = parse_json(render_table(out, Format::json), "results");
  CHECK(json["cells"][2]["metrics"]["test.perplexity"].dump() ==
        R"({"mean":"inf","sd":null,"n":2,"by_seed":{"1":"inf","2":7.0}})");
  CHECK(json["cells"][2]["delta"]["n"] == 1);
}

TEST_CASE("Diverged, interrupted and waiting runs are remarked on, and their numbers left out", "[results]") {
  SweepOnDisk sweep;
  run_folder::RunRecord record;
  record.status = run_folder::Status::diverged;
  record.error = "the loss is not finite at step 41";
  record.metrics = {{"test.bleu", 1.0}};
  sweep.add({{"heads", 1}}, 1, record);
  record = {};
  record.status = run_folder::Status::interrupted;
  sweep.add({{"heads", 1}}, 2, record);
  sweep.add({{"heads", 1}}, 3, run_folder::RunRecord{});
  sweep.add({{"heads", 1}}, 4, {{"test.bleu", std::numeric_limits<double>::quiet_NaN()}});
  const auto text = render_table(sweep.write(), Format::markdown);
  CHECK(mentions(text, "seed 1 diverged: the loss is not finite at step 41; seed 2 interrupted; seed 3 not started"));
  CHECK(mentions(lines_of(text)[4], "|     1 |        - |"));
  CHECK_FALSE(mentions(text, "nan"));
}

TEST_CASE("A run whose record is damaged has failed, and the others keep their place", "[results]") {
  SweepOnDisk sweep;
  sweep.add({{"heads", 1}}, 1, {{"test.bleu", 20.0}});
  sweep.add({{"heads", 1}}, 2, {{"test.bleu", 99.0}});
  sweep.file(1, "run.json", "{\"status\": ");
  const auto text = render_table(sweep.write(), Format::markdown);
  CHECK(mentions(text, "20.00 (1)", "seed 2 failed", "run.json", "delete the file to run this run again"));
}

TEST_CASE("A number has the label and the digits of its metric, a probe's the digits of what its name ends in",
          "[results]") {
  const auto text = [](const std::string& metric) {
    return metric_label(metric) + " " + format_metric(metric, 1234.5678);
  };
  CHECK(text("test.bleu") == "BLEU 1234.57");
  CHECK(text("test.multi_bleu") == "multi-BLEU 1234.57");
  CHECK(text("test.exact") == "exact % 1234.57");
  CHECK(text("test.perplexity") == "perplexity 1234.568");
  CHECK(text("test.loss") == "test loss 1234.5678");
  CHECK(text("test.accuracy") == "token acc % 1234.57");
  CHECK(text("heads.coreference") == "best head coref. % 1234.57");
  CHECK(text("parameters") == "parameters 1,235");
  CHECK(text("train.tokens_per_second") == "tokens/s 1,235");
  CHECK(text("minutes") == "minutes 1234.6");
  CHECK(text("train.steps") == "train.steps 1,235");
  CHECK(text("train.target_tokens") == "train.target_tokens 1,235");
  CHECK(text("lengths.longer.loss") == "lengths.longer.loss 1234.5678");
  CHECK(text("chance.perplexity") == "chance.perplexity 1234.568");
  CHECK(text("lengths.longer.exact") == "lengths.longer.exact 1234.57");
}

TEST_CASE("Columns stand in the order of the metrics, without those that are compared only", "[results]") {
  SweepOnDisk sweep;
  sweep.manifest.metric = "test.multi_bleu";
  sweep.add({{"heads", 4}}, 1,
            {{"valid.loss", 2}, {"test.ter", 40}, {"test.exact", 9}, {"test.bleu", 38}, {"test.multi_bleu", 40}});
  const auto lines = lines_of(render_table(sweep.write(), Format::markdown));
  CHECK(mentions(lines[2], "| heads | multi-BLEU (n) |  BLEU |   TER | exact % |"));
  CHECK(lines[2].find("loss") == std::string::npos);
}

TEST_CASE("The LaTeX table uses booktabs and escapes what LaTeX would read", "[results]") {
  SweepOnDisk sweep;
  sweep.manifest.name = "50 % & more_{x}";
  sweep.manifest.baseline = {{"kind", "a_b"}};
  sweep.add({{"kind", "a_b"}}, 1, {{"test.bleu", 50.0}});
  sweep.add({{"kind", "c"}}, 1, {{"test.bleu", 40.0}});
  const auto text = render_table(sweep.write(), Format::latex);
  INFO(text);
  CHECK(mentions(text,
                 "\\begin{tabular}{lrr}\n\\toprule\n  kind & BLEU (n) & $\\Delta$ \\\\\n\\midrule\n"
                 "  a\\_b & \\textbf{50.00 (1)} & baseline \\\\\n  c & 40.00 (1) & $-$10.00 \\\\\n\\bottomrule\n",
                 "\\caption{50 \\% \\& more\\_\\{x\\}."));
}

TEST_CASE("A first cell cannot be taken for an argument of the line break before it", "[results]") {
  TableLayout layout;
  layout.columns = {{"list", Align::left}};
  layout.rows = {{{"[1, 2]"}, {}, -1}, {{"*"}, {}, -1}};
  CHECK(mentions(render_latex(layout), "\n  {}[1, 2] \\\\\n  {}* \\\\\n"));
}

TEST_CASE("The CSV table has full numbers and quotes what needs it", "[results]") {
  SweepOnDisk sweep;
  fill_heads_and_norm(sweep);
  const auto lines = lines_of(render_table(sweep.write(), Format::csv));
  REQUIRE(lines.size() == 5);
  CHECK(lines[0] ==
        "variant,hash,model.heads,model.norm.placement,test.bleu,test.bleu.sd,test.bleu.n,test.bleu.delta,test.bleu."
        "delta_low,"
        "test.bleu.delta_high,test.bleu.delta_n,test.bleu.delta_p,test.bleu.delta_p_holm,test."
        "bleu.delta_bootstrap_low,test.bleu.delta_bootstrap_high,minutes,parameters,test.perplexity,"
        "train.tokens_per_second,remarks");
  CHECK(lines[1].rfind("\"1_\"\"post\"\"\",cafe0000,1,post,91,1,3,-2.16666", 0) == 0);
  CHECK(mentions(lines[4], ",4,pre,86,1,3,,,,,,,,,1.5,1234567,1.25,12000,"));
}

TEST_CASE("A factor that is called as another column is told from it", "[results]") {
  SweepOnDisk sweep;
  sweep.add({{"variant", "base"}, {"seed", 1}, {"remarks", 2}}, 1, {{"test.bleu", 50.0}, {"minutes", 1.0}});
  const auto& out = sweep.write();
  CHECK(lines_of(render_table(out, Format::csv))[0].starts_with(
      "variant,hash,factor.variant,seed,factor.remarks,test.bleu,"));
  write_results(out);
  const auto lines = lines_of(read_file(out / "results.csv", "results"));
  CHECK(lines[0] == "variant,hash,factor.variant,factor.seed,remarks,seed,status,metric,value");
  CHECK(lines[1].ends_with(",cafe0000,base,1,2,1,completed,minutes,1"));
}

TEST_CASE("Results are not written over a file of somebody else", "[results]") {
  SweepOnDisk sweep;
  fill_heads_and_norm(sweep);
  const auto& out = sweep.write();
  std::filesystem::remove(out / "manifest.json");
  sweep::OwnFiles{out};  // as a sweep begins
  sweep.write();
  sweep.sweep_file("table.md", "mine");
  CHECK(mentions(tests::error_message([&] { write_results(out); }), "table.md'", "attnlab did not write"));
  CHECK(read_file(out / "table.md", "it") == "mine");
  std::filesystem::remove(out / "table.md");
  for (int time = 0; time < 2; ++time) write_results(out);
  CHECK(read_file(out / "table.md", "it") == render_table(out, Format::markdown));
}

TEST_CASE("All files are written, the tidy ones with a line a run and metric", "[results]") {
  SweepOnDisk sweep;
  fill_heads_and_norm(sweep);
  const auto& out = sweep.write();
  write_results(out);
  CHECK(read_file(out / "table.md", "table") == render_table(out, Format::markdown));
  CHECK(read_file(out / "table.tex", "table") == render_table(out, Format::latex));
  const auto lines = lines_of(read_file(out / "results.csv", "results"));
  CHECK(lines[0] == "variant,hash,model.heads,model.norm.placement,seed,status,metric,value");
  CHECK(lines.size() == 1 + 11 * 5 + 1);  // five numbers of each completed run, one line of the failed one
  CHECK(std::count(lines.begin(), lines.end(), "\"4_\"\"post\"\"\",cafe0000,4,post,2,completed,test.bleu,92.5") == 1);
  CHECK(std::count(lines.begin(), lines.end(), "\"1_\"\"pre\"\"\",cafe0000,1,pre,3,failed,,") == 1);

  const auto json = read_json(out / "results.json", "results");
  CHECK(json["metric"]["goal"] == "maximize");
  const auto& cell = json["cells"][0];
  CHECK(cell["factors"]["model.heads"] == 1);
  CHECK(cell["metrics"]["test.bleu"]["by_seed"]["2"] == 91.0);
  CHECK(cell["metrics"]["test.bleu"]["sd"] == 1.0);
  CHECK(cell["delta"]["n"] == 3);
  CHECK(cell["delta"]["p_holm"].get<double>() == Approx(0.078023).epsilon(1e-4));
  CHECK(json["cells"][1]["runs"][2]["status"] == "failed");
  CHECK(json["cells"][2]["delta"] == "baseline");
  CHECK(json["cells"][2]["best"] == true);
  CHECK(json["cells"][0]["delta"]["bootstrap"].is_null());  // three seeds are too few
  CHECK(json["effects"]["balanced"] == false);
  const auto& heads = json["effects"]["main"][0];
  CHECK(heads["factor"][0] == "model.heads");
  CHECK(heads["reference"] == "4");
  // seeds 1 and 2 have both placements: ((90 - 92 + 80 - 85) / 2 + (91 - 92.5 + 82 - 86) / 2) / 2
  CHECK(heads["levels"][0]["from_reference"]["mean"] == -3.125);
  CHECK(heads["levels"][0]["from_reference"]["n"] == 2);
  CHECK(json["effects"]["interactions"][0]["cells"].size() == 4);
}

TEST_CASE("An unknown format is refused", "[results]") {
  CHECK(parse_format("latex") == Format::latex);
  CHECK(mentions(tests::error_message([] { parse_format("pdf"); }), "pdf", "md, csv, json or latex"));
}

}  // namespace
}  // namespace attnlab::results
