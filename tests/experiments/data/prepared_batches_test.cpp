#include "experiments/data/prepared_batches.h"

#include "experiments/data/npz.h"
#include "support/files.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::data {
namespace {

using tests::error_message;
using tests::mentions;

// Written by tests/oracles/npz_batches.py.
const std::string kData = ATTNLAB_TESTS_DIR "/experiments/data/data/";

std::string refusal(const std::filesystem::path& path) {
  return error_message([&] { read_prepared_batches(path); });
}

}  // namespace

TEST_CASE("NumPy's archives are read, deflated and stored") {
  for (const char* name : {"batches.npz", "batches_stored.npz"}) {
    const auto arrays = read_npz(kData + name);
    CHECK(arrays.size() == 10);
    CHECK(arrays.at("src") == std::vector<int64_t>{7, 8, 9, 3, 5, 3});
    CHECK(arrays.at("trg_off") == std::vector<int64_t>{0, 3, 8});
    CHECK(arrays.at("pad") == std::vector<int64_t>{1});
  }
}

TEST_CASE("Prepared batches give the pairs, the rows and the special ids") {
  const PreparedBatches prepared = read_prepared_batches(kData + "batches.npz");
  REQUIRE(prepared.pairs.size() == 2);
  CHECK(prepared.pairs[0].source == Ids{7, 8, 9, 3});
  CHECK(prepared.pairs[0].target == Ids{11, 3});
  CHECK(prepared.pairs[1].source == Ids{5, 3});
  CHECK(prepared.pairs[1].target == Ids{6, 4, 12, 3});
  CHECK(prepared.batches == BatchRows{{1}, {0}});
  CHECK(prepared.pad == 1);
  CHECK(prepared.bos == 2);
  CHECK(prepared.eos == 3);
  CHECK(prepared.unk == 0);
  CHECK(prepared.vocab_size == 13);
}

TEST_CASE("Other arrays are refused by name") {
  CHECK(mentions(refusal(kData + "floats.npz"), "floats.npz", "src", "int32 or int64", "<f4"));
  CHECK(mentions(refusal(kData + "matrix.npz"), "matrix.npz", "src", "one dimension"));
  CHECK(mentions(refusal(kData + "no_pad.npz"), "no_pad.npz", "pad", "missing"));
}

TEST_CASE("A damaged archive is refused wherever it is cut or changed") {
  const tests::TemporaryFolder folder;
  const std::string whole = read_file(kData + "batches.npz", "archive");
  CHECK(mentions(refusal(folder.write("text.npz", "no archive")), "text.npz", "not an .npz archive"));
  CHECK(mentions(refusal(folder.path() / "none.npz"), "none.npz", "no such file"));
  for (size_t size = 1; size < whole.size(); size += 7)
    CHECK(refusal(folder.write("cut.npz", whole.substr(0, size))) != "(no error)");
  // A changed byte is either refused or in a field that is not used; never a crash, and never other ids.
  const auto good = read_npz(kData + "batches.npz");
  for (size_t at = 0; at < whole.size(); at += 3) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x41);
    const auto path = folder.write("changed.npz", changed);
    try {
      for (const auto& [name, values] : read_npz(path))
        if (good.contains(name)) CHECK(values == good.at(name));
    } catch (const Error&) {
    }
  }
}

}  // namespace attnlab::data
