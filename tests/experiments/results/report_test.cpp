// The page's file and the pictures. What the page does in a browser is tested in one
// (tests/interop/report_page_test.py).

#include "experiments/results/report/report.h"

#include "tests/experiments/results/samples.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/well_formed.h"

namespace attnlab::results {
namespace {

using tests::mentions;

size_t count_of(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++count;
  return count;
}

std::string page_of(SweepOnDisk& sweep, const ReportOptions& options = {}) {
  return read_file(write_report(sweep.write(), options), "the page");
}

void check_offline(const std::string& page) {
  CHECK(mentions(page, "default-src 'none'; script-src 'sha256-"));
  for (const char* outside :
       {"src=\"", "href=\"http", "@import", "url(", "fetch(", "XMLHttpRequest", " style=\"", "onclick="})
    CHECK_FALSE(mentions(page, outside));
  CHECK(count_of(page, "<script") == 2);  // the data and the page's own
  CHECK(count_of(page, "</script>") == 2);
}

void check_figures(const std::filesystem::path& folder, const std::set<std::string>& expected) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
    INFO(entry.path());
    CHECK(tests::well_formed_problem(read_file(entry.path(), "a picture")).empty());
  }
  CHECK(names == expected);
}

TEST_CASE("A relative folder of texts is named anew in commands that start in the sweep's folder", "[results]") {
  const auto page_with = [](const std::string& dir) {
    SweepOnDisk sweep;
    fill_ordinary(sweep);
    sweep.file(0, "config.json", Json({{"seed", 1}, {"data", {{"dir", dir}}}}).dump());
    return page_of(sweep);
  };
  CHECK(mentions(page_with("my/texts"), "run spec.json --out ../again --set data.dir=/path/to/texts",
                 "--out ../one-run --set data.dir=/path/to/texts"));
  CHECK_FALSE(mentions(page_with("/my/texts"), "--set data.dir"));
  CHECK_FALSE(mentions(page_with(""), "--set data.dir"));
}

TEST_CASE("The page of an ordinary sweep has all its parts", "[results]") {
  SweepOnDisk sweep;
  fill_ordinary(sweep);
  const std::string page = page_of(sweep);
  check_offline(page);
  CHECK(mentions(page, "What head count, norm placement and positions do on a small model.",
                 "What do <b><bdi>heads</bdi></b>, <b><bdi>placement</bdi></b> and <b><bdi>positions</bdi></b> do to "
                 "<bdi>BLEU</bdi>?",
                 "12: every combination", "<span class=\"level baseline\"><bdi>post</bdi></span>", "1, 2, 3",
                 "higher is better", "Held fixed", "<bdi>data.train_pairs</bdi>", "<bdi>training.device</bdi>"));
  CHECK(mentions(page, "33 completed", "1 failed", "1 diverged", "1 not started"));
  CHECK(mentions(page, "<td class=\"number\" data-sort=\"90.", "<b>90.75 ± 0.18 (3)</b>", "<tr class=\"baseline\">",
                 "95 % bootstrap interval", "All differences to the baseline in full"));
  CHECK(mentions(page, "The grid is not balanced: 3 runs have no result", "Main effects on BLEU", "heads × placement",
                 "Interaction contrasts: how the difference to heads 4 changes from placement post to each column"));
  CHECK(mentions(page, "id=\"chart-valid\"", "id=\"chart-train\"", "windows of 3 steps",
                 "\"unfinished\":\"seed 2 diverged\""));
  CHECK(mentions(page, "paired bootstrap with 1000 resamples", "approximate randomisation with 10000 trials",
                 "|bs:1000|", "|ar:10000|"));
  CHECK(mentions(page, "out of memory: 12 GiB were asked for</bdi><br><bdi>make training.batch_tokens smaller",
                 "signal 9", "exit code 1", "the loss is not finite at step 121", "its turn has not come"));
  CHECK(mentions(page, "/seed=1/metrics.jsonl\"><bdi>metrics</bdi></a>", "href=\"results.csv\"", "<bdi>machine</bdi>",
                 "attnlab 0.1.0, libtorch 2.13.0", "attnlab run spec.json --out ../again", "attnlab train &#39;runs/1_",
                 "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0", "<bdi>sinusoid layout</bdi>",
                 "<bdi>interleaved</bdi>"));
  check_figures(sweep.write() / "figures",
                {"cells.svg", "effects.svg", "interaction-heads-placement.svg", "interaction-heads-positions.svg",
                 "interaction-placement-positions.svg", "training_loss.svg", "validation_loss.svg"});
}

TEST_CASE("Sentence tests are kept, and can be left out", "[results]") {
  SweepOnDisk sweep;
  fill_ordinary(sweep);
  CHECK_FALSE(mentions(page_of(sweep, {/*sentence_tests=*/false}), "Differences by sentence"));
  CHECK_FALSE(std::filesystem::exists(sweep.write() / "sentence_tests.json"));
  const std::string first = page_of(sweep);
  auto kept = read_json(sweep.write() / "sentence_tests.json", "kept");
  CHECK(kept["tests"].size() > 20);  // pairs with equal translations share a test
  for (auto& test : kept["tests"]) test["p_bootstrap"] = 0.7654;
  sweep.sweep_file("sentence_tests.json", kept.dump());
  CHECK(count_of(page_of(sweep), ">0.7654<") == 30);
  for (auto& test : kept["tests"]) test["p_bootstrap"] = "no number";
  for (const std::string& damaged : {std::string("{broken"), kept.dump()}) {
    sweep.sweep_file("sentence_tests.json", damaged);
    CHECK(page_of(sweep) == first);
  }
}

TEST_CASE("A damaged file of the sweep is told of, and the page does without", "[results]") {
  SweepOnDisk sweep;
  fill_single(sweep);
  sweep.sweep_file("spec.json", "{\"base\": ");
  sweep.file(0, "config.json", "[]");
  CHECK(mentions(page_of(sweep), "spec.json:1:", "config.json: holds no JSON object", "33.30 (1)"));
  sweep.sweep_file("spec.json", R"({"base": 3, "description": ["no text"]})");
  CHECK(mentions(page_of(sweep), "33.30 (1)"));
}

TEST_CASE("One run has a page without spread, effects or comparisons", "[results]") {
  SweepOnDisk sweep;
  fill_single(sweep);
  const std::string page = page_of(sweep);
  check_offline(page);
  CHECK(mentions(page, "Nothing is varied but the seed", "33.30 (1)"));
  for (const char* absent : {"id=\"factors\"", "id=\"failures\"", "id=\"sentences\"", "33.30 ±", "best mean"})
    CHECK_FALSE(mentions(page, absent));
  check_figures(sweep.write() / "figures", {"training_loss.svg", "validation_loss.svg"});
}

TEST_CASE("Names and errors stay text", "[results]") {
  SweepOnDisk sweep;
  fill_hostile(sweep);
  const std::string page = page_of(sweep);
  check_offline(page);
  CHECK_FALSE(mentions(page, "<script>alert"));
  CHECK_FALSE(mentions(page, "<b>&amp;amp;"));
  CHECK(mentions(page, "&lt;/script&gt;&lt;script&gt;alert(1)", "⟨U+202E⟩"));
  CHECK_FALSE(mentions(page, "\u202E"));
  CHECK_FALSE(mentions(page, "\xFF"));
  const auto figures = sweep.write() / "figures";
  REQUIRE(!std::filesystem::is_empty(figures));
  for (const auto& entry : std::filesystem::directory_iterator(figures))
    CHECK(tests::well_formed_problem(read_file(entry.path(), "a picture")).empty());
}

TEST_CASE("A sweep that has not begun has a page, and pictures of another state go", "[results]") {
  SweepOnDisk sweep;
  sweep.add({{"heads", 1}}, 1, run_folder::RunRecord{});
  sweep.add({{"heads", 2}}, 1, run_folder::RunRecord{});
  std::filesystem::create_directories(sweep.write() / "figures");
  sweep.sweep_file("figures/effects.svg", "old");
  const std::string page = page_of(sweep);
  CHECK(mentions(page, "2 not started", "its turn has not come"));
  check_figures(sweep.write() / "figures", {});
}

TEST_CASE("Of the pictures only the sweep's own come and go", "[results]") {
  SweepOnDisk sweep;
  fill_ordinary(sweep);
  const auto figures = sweep.write() / "figures";
  std::filesystem::create_directories(figures);
  sweep.sweep_file("figures/mine.svg", "<svg/>");
  sweep.sweep_file("figures/interaction-my-notes.svg", "<svg/>");
  page_of(sweep);
  const auto interactions = [&] {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(figures))
      count += entry.path().filename().string().starts_with("interaction-");
    return count;
  };
  REQUIRE(std::filesystem::exists(figures / "effects.svg"));
  REQUIRE(interactions() > 1);
  sweep.manifest.runs.erase(sweep.manifest.runs.begin() + 1, sweep.manifest.runs.end());
  page_of(sweep);
  CHECK_FALSE(std::filesystem::exists(figures / "effects.svg"));
  CHECK(interactions() == 1);
  for (const char* name : {"mine.svg", "interaction-my-notes.svg"})
    CHECK(read_file(figures / name, "a picture of a person") == "<svg/>");
}

TEST_CASE("256 runs have a page of a few megabytes", "[results]") {
  SweepOnDisk sweep;
  fill_large(sweep);
  const std::string page = page_of(sweep);
  check_offline(page);
  CHECK(page.size() < 6 << 20);
  CHECK(mentions(page, "128: every combination", "lower is better"));
  CHECK(count_of(page, "<span class=\"level baseline\">") == 1);  // the baseline says nothing of the other factors
}

}  // namespace
}  // namespace attnlab::results
