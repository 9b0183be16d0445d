#include "experiments/run_folder/configuration.h"

#include "experiments/spec/write.h"
#include "support/json.h"
#include "support/sha256.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::run_folder {
namespace {

using tests::error_message;
using tests::mentions;

/// A folder whose record names a configuration with 8 heads.
struct Folder {
  tests::TemporaryFolder place;
  spec::RunConfig config;

  Folder() {
    config.data.generator = "copy";
    write_config();
    write_record({{"inputs", {{"configuration", configuration_hash(config)}}}});
  }
  void write_config() const { place.write("config.json", spec::to_json(config).dump()); }
  void write_record(const Json& record) const { place.write("run.json", record.dump()); }
};

TEST_CASE("a configuration is read if the record names the same") {
  const Folder folder;
  CHECK(read_configuration(folder.place.path()).model.heads == 8);
  CHECK(configuration_hash(folder.config) == sha256_hex(spec::canonical_json(folder.config).dump()));
}

TEST_CASE("a configuration that was changed after the run began is refused, with both hashes") {
  Folder folder;
  const std::string before = configuration_hash(folder.config);
  folder.config.seed = 2;
  folder.write_config();
  CHECK(mentions(error_message([&] { read_configuration(folder.place.path()); }), "config.json was changed",
                 before.substr(0, 12) + "... in", configuration_hash(folder.config).substr(0, 12) + "... here",
                 "run.json", "bring the old file back"));
}

TEST_CASE("a record that names no configuration, or none at all, leaves it as it is") {
  Folder folder;
  folder.config.model.heads = 4;
  folder.write_config();
  for (const Json& record : {Json::object(), Json{{"inputs", {{"data", "00"}}}}, Json{{"inputs", 3}}}) {
    folder.write_record(record);
    CHECK(read_configuration(folder.place.path()).model.heads == 4);
  }
  std::filesystem::remove(folder.place.path() / "run.json");
  CHECK(read_configuration(folder.place.path()).model.heads == 4);
  folder.place.write("run.json", "{\"inputs\": ");
  CHECK(mentions(error_message([&] { read_configuration(folder.place.path()); }), "run.json", "delete the file"));
}

}  // namespace
}  // namespace attnlab::run_folder
