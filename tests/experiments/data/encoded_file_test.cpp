#include "experiments/data/encoded_file.h"

#include "support/files.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::data {
namespace {

namespace fs = std::filesystem;
using tests::error_message;
using tests::mentions;
using tests::TemporaryFolder;

/// Two splits with an odd number of ids, of which the first fills more than a block, and one without a pair.
std::vector<std::vector<EncodedPair>> three_splits() {
  std::vector<std::vector<EncodedPair>> splits(3);
  for (int32_t i = 0; i < 4001; ++i) splits[0].push_back({Ids(static_cast<size_t>(i % 150), i), Ids{i, 3}});
  splits[0].push_back({{1}, {}});
  splits[1] = {{{1, 2}, {3}}, {{}, {4, 5, 6}}};
  return splits;
}

void write(const fs::path& path, const std::string& key, const std::vector<std::vector<EncodedPair>>& splits) {
  EncodedWriter writer(path, key);
  for (const auto& split : splits) {
    for (const EncodedPair& pair : split) writer.add(pair.source, pair.target);
    writer.end_split();
  }
  writer.finish({{"note", 7}});
}

}  // namespace

TEST_CASE("What was written is what is mapped") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.ids";
  const auto splits = three_splits();
  write(path, "key", splits);
  const EncodedFile file(path, "key");
  REQUIRE(file.splits() == 3);
  CHECK(file.notes().at("note") == 7);
  for (size_t s = 0; s < 3; ++s) {
    const auto pairs = file.split(s).copy();
    REQUIRE(pairs.size() == splits[s].size());
    for (size_t i = 0; i < pairs.size(); ++i) {
      CHECK(pairs[i].source == splits[s][i].source);
      CHECK(pairs[i].target == splits[s][i].target);
    }
  }
  CHECK(mentions(error_message([&] { EncodedFile(path, "other"); }), "a.ids", "other data"));
  CHECK(mentions(error_message([&] { EncodedFile(folder.path() / "none.ids", "key"); }), "none.ids", "no such file"));
}

TEST_CASE("A flipped bit is found, wherever it is") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.ids";
  write(path, "key", three_splits());
  const std::string good = read_file(path, "a");
  CHECK(good.size() > (1 << 20));
  for (size_t at = 0; at < good.size(); at += at < 300 ? 7 : good.size() / 23) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    const auto damaged = folder.write("bad.ids", bad);
    CHECK(mentions(error_message([&] { EncodedFile(damaged, "key"); }), "bad.ids", "damaged"));
  }
}

TEST_CASE("A file that is cut off, longer or something else is found") {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.ids";
  write(path, "key", three_splits());
  const std::string good = read_file(path, "a");
  for (const std::string& bad : {good.substr(0, 1), good.substr(0, 255), good.substr(0, 256), good.substr(0, 5000),
                                 good.substr(0, good.size() - 1), good + "x", std::string(5000, '\0')}) {
    const auto damaged = folder.write("bad.ids", bad);
    CHECK(mentions(error_message([&] { EncodedFile(damaged, "key"); }), "bad.ids", "cut off"));
  }
}

TEST_CASE("A writer that does not finish leaves nothing") {
  const TemporaryFolder folder;
  {
    EncodedWriter writer(folder.path() / "a.ids", "key");
    writer.add(Ids{1}, Ids{2});
  }
  CHECK(fs::is_empty(folder.path()));
  CHECK(
      mentions(error_message([&] { EncodedWriter(folder.path() / "no" / "a.ids", "key"); }), "cannot write", "a.ids"));
}

}  // namespace attnlab::data
