// Event files byte by byte. That TensorBoard reads them is tested with TensorBoard (tests/interop/tensorboard_test.py).

#include "experiments/results/tensorboard.h"

#include "experiments/results/event_file.h"
#include "support/crc32c.h"
#include "tests/experiments/results/sweep_on_disk.h"
#include "tests/support/catch.h"

namespace attnlab::results {
namespace {

TEST_CASE("A frame holds the length, the data and their checksums", "[results]") {
  const std::string frame = tfrecord("abc");
  REQUIRE(frame.size() == 8 + 4 + 3 + 4);
  CHECK(frame.substr(0, 8) == std::string("\x03\0\0\0\0\0\0\0", 8));
  CHECK(frame.substr(12, 3) == "abc");
  const uint32_t crc = crc32c("abc"), masked = (crc >> 15 | crc << 17) + 0xA282EAD8u;
  for (size_t i = 0; i < 4; ++i) CHECK(static_cast<unsigned char>(frame[15 + i]) == (masked >> (8 * i) & 0xFF));
}

TEST_CASE("An event's fields by hand", "[results]") {
  // wall_time 1.0 (field 1, fixed64), step 300 (field 2, varint), summary (5) { value (1) { tag (1) "a", simple_value
  // (2) 2.0f } }
  CHECK(scalar_event(1.0, 300, "a", 2.0) == std::string("\x09\0\0\0\0\0\0\xF0\x3F\x10\xAC\x02\x2A\x0A\x0A\x08\x0A\x01"
                                                        "a\x15\0\0\0\x40",
                                                        24));
  CHECK(version_event(0) == std::string("\x09\0\0\0\0\0\0\0\0\x10\0\x1A\x0D"
                                        "brain.Event:2",
                                        26));
}

TEST_CASE("Every run that has logged something has its file", "[results]") {
  SweepOnDisk sweep;
  sweep.add({{"heads", 1}}, 1, {{"test.bleu", 1.0}});
  sweep.add({{"heads", 1}}, 2, run_folder::RunRecord{});
  sweep.log(0, "{\"step\":1,\"loss\":2}\n");
  const auto& out = sweep.write();
  CHECK(export_tensorboard(out, out / "tensorboard") == 1);
  const auto text =
      read_file(out / "tensorboard" / sweep.manifest.runs[0].folder / "events.out.tfevents.0.attnlab", "it");
  CHECK(text.find("loss/train") != std::string::npos);
  CHECK(text.find("test/bleu") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(out / "tensorboard" / sweep.manifest.runs[1].folder));
}

}  // namespace
}  // namespace attnlab::results
