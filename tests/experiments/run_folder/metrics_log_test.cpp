#include "experiments/run_folder/metrics_log.h"

#include <vector>

#include "support/files.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::run_folder {
namespace {

std::vector<int64_t> steps_in(const std::filesystem::path& folder) {
  std::vector<int64_t> steps;
  read_metrics(folder, [&](const MetricsEntry& entry) { steps.push_back(entry.step); });
  return steps;
}

TEST_CASE("lines are read in their order, with the numbers that they have") {
  const tests::TemporaryFolder folder;
  folder.write("metrics.jsonl", "{\"step\":1,\"loss\":2.5}\n{\"step\":2,\"loss\":null,\"valid_perplexity\":\"inf\"}\n");
  std::vector<MetricsEntry> entries;
  read_metrics(folder.path(), [&](const MetricsEntry& entry) { entries.push_back(entry); });
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].number("loss") == 2.5);
  CHECK_FALSE(entries[0].number("valid_loss").has_value());
  CHECK(entries[1].values.contains("loss"));
  CHECK_FALSE(entries[1].number("loss").has_value());
  CHECK_FALSE(entries[1].number("valid_perplexity").has_value());
  CHECK(steps_in(folder.path() / "nowhere").empty());
}

TEST_CASE("lines that are cut, or are none of a step, are passed over by every reader") {
  const tests::TemporaryFolder folder;
  folder.write("metrics.jsonl",
               "{\"step\":1}\n\n{\"step\":\"two\"}\n[2]\n{\"loss\":1}\n{\"step\":2.5}\n{\"step\":0}\n{\"step\":-3}\n"
               "{\"step\":18446744073709551615}\n{\"step\":2,\"loss\":1e999}\n\xff\n{\"step\":3}\n{\"step\":4,\"lo");
  CHECK(steps_in(folder.path()) == std::vector<int64_t>{1, 3});
  std::vector<int64_t> latest;
  read_latest_metrics(folder.path(), [&](const MetricsEntry& entry) { latest.push_back(entry.step); });
  CHECK(latest == std::vector<int64_t>{1, 3});
  const MetricsLog log(folder.path(), 9);
  CHECK(read_file(folder.path() / "metrics.jsonl", "the log") == "{\"step\":1}\n{\"step\":3}\n");
}

TEST_CASE("of a long log the last lines are read, whole") {
  const tests::TemporaryFolder folder;
  std::string text;
  for (int step = 1; step <= 1000; ++step) text += "{\"step\":" + std::to_string(step) + ",\"loss\":1.5}\n";
  folder.write("metrics.jsonl", text);
  std::vector<int64_t> steps;
  read_latest_metrics(folder.path(), [&](const MetricsEntry& entry) { steps.push_back(entry.step); });
  REQUIRE(steps.size() >= 12);
  CHECK(steps.size() < 500);
  CHECK(steps.back() == 1000);
  for (size_t i = 1; i < steps.size(); ++i) CHECK(steps[i] == steps[i - 1] + 1);
  folder.write("metrics.jsonl", "");
  read_latest_metrics(folder.path(), [](const MetricsEntry&) { FAIL("the log is empty"); });
}

TEST_CASE("a resumed log takes back the steps that are done again and leaves the others as they were written") {
  const tests::TemporaryFolder folder;
  folder.write("metrics.jsonl", "{ \"step\": 1, \"loss\": 2.50 }\n{\"step\":2}\n{\"step\":3}\n{\"step\":3,\"valid_lo");
  MetricsLog log(folder.path(), 3);
  log.write({{"step", 3}, {"loss", 0.5}});
  CHECK(read_file(folder.path() / "metrics.jsonl", "the log") ==
        "{ \"step\": 1, \"loss\": 2.50 }\n{\"step\":2}\n{\"step\":3,\"loss\":0.5}\n");
}

TEST_CASE("a log that cannot be written is named") {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "metrics.jsonl" / "in the way");
  CHECK(tests::mentions(tests::error_message([&] { MetricsLog(folder.path(), 1); }), "cannot write", "metrics.jsonl"));
}

}  // namespace
}  // namespace attnlab::run_folder
