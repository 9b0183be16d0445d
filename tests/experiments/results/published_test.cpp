#include "experiments/results/published.h"

#include "experiments/results/report/report.h"
#include "experiments/results/table.h"
#include "support/json.h"
#include "tests/experiments/results/sweep_on_disk.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::results {
namespace {

using tests::mentions;

/// Base 50 BLEU; other cells differ from it by exactly what is given, with a spread of 0.1 over three seeds.
class Table {
 public:
  Table() {
    sweep_.manifest.name = "table";
    sweep_.manifest.baseline = {{"variant", "base"}};
    sweep_.manifest.published_source = "A paper, Table 3";
    add("base", 0, 25.8);
  }

  void add(const std::string& variant, double difference, double published, int seeds = 3) {
    for (int seed = 1; seed <= seeds; ++seed) {
      const double noise = variant == "base" ? 0 : 0.1 * (seed - 2);
      sweep_.add({{"variant", variant}}, seed, {{"test.bleu", 50 + difference + noise}});
      sweep_.manifest.runs.back().published = {{"test.bleu", published}};
    }
  }

  const std::filesystem::path& write() const { return sweep_.write(); }

 private:
  SweepOnDisk sweep_;
};

void fill(Table& table) {
  table.add("same", -3, 24.9);
  table.add("opposite", -2, 26.4);
  table.add("open", 0.05, 26.2);
  table.add("in print alike", 1, 25.8);
  table.add("two seeds", -5, 24, 2);
}

TEST_CASE("A direction counts only where our interval excludes zero", "[results]") {
  Table table;
  fill(table);
  const auto all = beside_published(collect(table.write()));
  REQUIRE(all.size() == 1);
  const auto& published = all[0];
  REQUIRE(published.cells.size() == 6);
  CHECK(published.cells[0].direction == Direction::none);
  CHECK_FALSE(published.cells[0].published_delta);
  CHECK(published.cells[1].direction == Direction::same);
  CHECK(*published.cells[1].published_delta == Approx(-0.9));
  CHECK(published.cells[2].direction == Direction::opposite);
  CHECK(published.cells[3].direction == Direction::open);
  CHECK(published.cells[4].direction == Direction::no_change);
  CHECK(published.cells[5].direction == Direction::open);
  CHECK(
      agreement_text(published) ==
      "same direction as published in 1 of the 2 differences whose 95 % t interval excludes zero; 1 more differs here "
      "but not in print; 2 are open: zero lies in the interval, or there are fewer than 3 seeds");
}

TEST_CASE("Table, JSON and page set the published numbers beside ours", "[results]") {
  Table table;
  fill(table);
  const auto out = table.write();
  const auto text = render_table(out, Format::markdown);
  INFO(text);
  CHECK(mentions(text, "published", "24.9 (Δ -0.9)", "24.0 (Δ -1.8)", "26.4 (Δ +0.6)", "25.8 (Δ +0.0)",
                 "Published BLEU: A paper, Table 3"));
  const Json json = parse_json(render_table(out, Format::json), "results.json");
  CHECK(json["published"]["source"] == "A paper, Table 3");
  CHECK(json["published"]["metrics"][0]["same"] == 1);
  CHECK(json["published"]["metrics"][0]["cells"][2]["direction"] == "opposite");
  const auto page = read_file(write_report(out, {}), "the page");
  CHECK(mentions(page, "Beside the published numbers", "A paper, Table 3", "href=\"#published\"", "95 % t interval"));
  CHECK(std::filesystem::exists(out / "figures" / "published-test.bleu.svg"));
}

TEST_CASE("A sweep without published numbers says nothing of them", "[results]") {
  SweepOnDisk sweep;
  fill_heads_and_norm(sweep);
  CHECK(beside_published(collect(sweep.write())).empty());
  CHECK_FALSE(mentions(render_table(sweep.write(), Format::markdown), "ublished"));
  CHECK_FALSE(parse_json(render_table(sweep.write(), Format::json), "results.json").contains("published"));
}

}  // namespace
}  // namespace attnlab::results
