#include "experiments/run_folder/record.h"

#include <cmath>
#include <limits>

#include "support/error.h"
#include "support/json.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::run_folder {
namespace {

using tests::error_message;

TEST_CASE("A record comes back as it was written", "[sweep]") {
  const tests::TemporaryFolder folder;
  RunRecord record;
  record.status = Status::failed;
  record.variant = "heads=4";
  record.hash = "0123abcd";
  record.seed = 9007199254740993;  // no double holds it
  record.started = "2026-01-02T03:04:05Z";
  record.seconds = 12.5;
  record.parameters = 1234567;
  record.signal = 11;
  record.error = "a \"quoted\" reason\nin two lines";
  record.threads = 2;
  record.versions["attnlab"] = "0.1.0";
  record.inputs["data"] = "00ff";
  record.metrics["test.bleu"] = 91.25;
  record.metrics["test.loss"] = std::numeric_limits<double>::quiet_NaN();
  record.metrics["test.perplexity"] = std::numeric_limits<double>::infinity();
  record.signatures["test.bleu"] = "nrefs:1|case:mixed";
  record.notes["sinusoid_layout"] = "interleaved";
  write_record(folder.path(), record);

  const auto read = read_record(folder.path()).value();
  CHECK(read.status == Status::failed);
  CHECK(read.variant == record.variant);
  CHECK(read.hash == record.hash);
  CHECK(read.seed == record.seed);
  CHECK(read.started == record.started);
  CHECK(read.finished.empty());
  CHECK(read.seconds == 12.5);
  CHECK(read.parameters == 1234567);
  CHECK_FALSE(read.exit_code.has_value());
  CHECK(read.signal == 11);
  CHECK(read.error == record.error);
  CHECK(read.threads == 2);
  CHECK(read.versions == record.versions);
  CHECK(read.inputs == record.inputs);
  CHECK(read.metrics.at("test.bleu") == 91.25);
  CHECK(std::isnan(read.metrics.at("test.loss")));
  CHECK(std::isinf(read.metrics.at("test.perplexity")));
  CHECK(read_json(folder.path() / "run.json", "record")["metrics"]["test.perplexity"] == "inf");
  CHECK(read.signatures == record.signatures);
  CHECK(read.notes == record.notes);
  CHECK_FALSE(read_json(folder.path() / "run.json", "record").contains("exit_code"));
}

TEST_CASE("No record is no record, a damaged one is named", "[sweep]") {
  const tests::TemporaryFolder folder;
  CHECK_FALSE(read_record(folder.path()).has_value());
  const auto message_for = [&](const char* text) {
    folder.write("run.json", text);
    const auto message = error_message([&] { read_record(folder.path()); });
    CHECK(message.find((folder.path() / "run.json").string()) != std::string::npos);
    CHECK(message.find("json.exception") == std::string::npos);
    return message;
  };
  CHECK(message_for("{\"status\": \"run").find("delete the file") != std::string::npos);
  CHECK(message_for("{\"status\": \"resting\", \"variant\": \"\", \"hash\": \"\", \"seed\": 1}").find("resting") !=
        std::string::npos);
  message_for("{\"status\": \"failed\"}");
  message_for("[1, 2]");
}

TEST_CASE("Broken UTF-8 in an error does not break the record", "[sweep]") {
  const tests::TemporaryFolder folder;
  RunRecord record;
  record.error = "line 3: \xE2\x80 is no UTF-8";
  write_record(folder.path(), record);
  CHECK(read_record(folder.path())->error == "line 3: \xEF\xBF\xBD is no UTF-8");
}

}  // namespace
}  // namespace attnlab::run_folder
