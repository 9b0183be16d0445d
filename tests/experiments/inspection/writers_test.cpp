// Files of weights. That NumPy, safetensors and BertViz open them is tested with those programs (tests/interop).

#include <cstring>
#include <sstream>

#include <nlohmann/json.hpp>

#include "experiments/checkpoint/safetensors.h"
#include "experiments/inspection/page_writer.h"
#include "experiments/inspection/writer.h"
#include "support/error.h"
#include "support/files.h"
#include "tests/experiments/inspection/toy.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::inspection {
namespace {

using Json = nlohmann::json;

/// Pieces that break careless writers.
Sentence nasty(int64_t id) {
  Sentence sentence = toy::sentence(id, 3, 2);
  sentence.source[0].piece = "a\"\\\n\xFF";
  sentence.source[1].piece = std::string("\0</script>", 10);
  sentence.source_text = "broken \xE2\x80 bytes";
  return sentence;
}

struct Export {
  ExportPlan plan;
  std::vector<SentenceMaps> maps;
};

Export make_export() {
  auto model = toy::model(toy::options());
  Export made{toy::plan({nasty(0), toy::sentence(1, 5, 4)}, model->options()), {}};
  capture(model, made.plan.sentences, made.plan.selection,
          [&](const SentenceMaps& maps) { made.maps.push_back(maps); });
  return made;
}

void write_all(AttentionWriter& writer, const Export& made) {
  for (const SentenceMaps& maps : made.maps) toy::write(writer, maps);
  writer.finish();
}

TEST_CASE("safetensors: every layer under its name, tokens and meaning in the metadata") {
  const tests::TemporaryFolder folder;
  const Export made = make_export();
  const auto writer = make_safetensors_writer(folder / "a.safetensors", made.plan);
  CHECK_FALSE(std::filesystem::exists(folder / "a.safetensors"));
  write_all(*writer, made);
  const auto file = checkpoint::load_tensors(folder / "a.safetensors");
  REQUIRE(file.tensors.size() == 2 * 3 * 2);
  CHECK(file.tensors[0].first == "sentence.0.encoder.layer.0");
  CHECK(torch::equal(file.tensors[0].second, made.maps[0].kinds[0].weights[0]));
  CHECK(file.tensors[11].first == "sentence.1.cross.layer.1");
  CHECK(torch::equal(file.tensors[11].second, made.maps[1].kinds[2].weights[1]));
  CHECK(file.metadata.at("run") == "toy");
  const Json about = Json::parse(file.metadata.at("attention"));
  CHECK(about["sentences"][1]["source"]["pieces"][0] == "▁s0");
  CHECK(about["sentences"][1]["source"]["ids"][0] == 10);
  CHECK(about["sentences"][1]["input"]["special"][0] == true);
  CHECK(about["sentences"][0]["source"]["pieces"][0] == "a\"\\\n\xEF\xBF\xBD");
  CHECK(about["sentences"][1]["predicted"]["words"] == Json::parse("[0,1,2,3,-1]"));
}

TEST_CASE("A file that is not finished never appears, and an older one stays") {
  const tests::TemporaryFolder folder;
  write_file_atomically(folder / "a.safetensors", "older");
  write_file_atomically(folder / "a.safetensors.tmp", "of a person");
  const Export made = make_export();
  {
    const auto writer = make_safetensors_writer(folder / "a.safetensors", made.plan);
    toy::write(*writer, made.maps[0]);
    CHECK_THROWS_WITH(writer->finish(), "only 6 of 12 tensors were written");
  }
  CHECK(read_file(folder / "a.safetensors", "it") == "older");
  CHECK(read_file(folder / "a.safetensors.tmp", "it") == "of a person");
  const std::filesystem::directory_iterator files(folder.path());
  CHECK(std::distance(begin(files), end(files)) == 2);
  CHECK_THROWS_AS(make_npz_writer(folder.path(), made.plan), Error);
  CHECK_THROWS_AS(make_npz_writer(folder / "no/such/folder.npz", made.plan), Error);
}

uint32_t number(const std::string& bytes, size_t at, size_t width) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, width);
  return value;
}

TEST_CASE("npz: a ZIP archive whose directory, names and sizes fit") {
  const tests::TemporaryFolder folder;
  const Export made = make_export();
  const auto writer = make_npz_writer(folder / "a.npz", made.plan);
  write_all(*writer, made);
  const std::string bytes = read_file(folder / "a.npz", "it");
  const size_t end = bytes.size() - 22;
  REQUIRE(number(bytes, end, 4) == 0x06054b50);
  CHECK(number(bytes, end + 10, 2) == 13);
  size_t entry = number(bytes, end + 16, 4);
  REQUIRE(entry + number(bytes, end + 12, 4) == end);
  std::vector<std::string> names;
  for (int i = 0; i < 13; ++i) {
    REQUIRE(number(bytes, entry, 4) == 0x02014b50);
    const size_t length = number(bytes, entry + 28, 2), local = number(bytes, entry + 42, 4);
    names.push_back(bytes.substr(entry + 46, length));
    CHECK(number(bytes, local, 4) == 0x04034b50);
    CHECK(bytes.substr(local + 30 + length, 6) == "\x93NUMPY");
    CHECK(number(bytes, entry + 20, 4) == number(bytes, entry + 24, 4));
    entry += 46 + length;
  }
  CHECK(names[0] == "metadata.npy");
  CHECK(names[1] == "sentence.0.encoder.layer.0.npy");
}

TEST_CASE("bertviz: one object a line with the arguments of head_view") {
  const tests::TemporaryFolder folder;
  const Export made = make_export();
  const auto writer = make_bertviz_writer(folder / "a.jsonl", made.plan);
  write_all(*writer, made);
  std::istringstream lines(read_file(folder / "a.jsonl", "it"));
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const Json json = Json::parse(line);
    const auto& cross = made.maps[count].kinds[2].weights;
    CHECK(json["cross_attention"].size() == 2);
    CHECK(json["cross_attention"][1].size() == 1);
    CHECK(json["cross_attention"][1][0][3].size() == static_cast<size_t>(cross.size(2)));
    CHECK(json["cross_attention"][1][0][3][1][2].get<double>() ==
          Approx(cross[1][3][1][2].item<double>()).epsilon(1e-6));
    CHECK(json["encoder_tokens"].size() == made.plan.sentences[count].source.size());
    CHECK(json["decoder_tokens"][0] == "<s>");
  }
  CHECK(count == 2);
}

TEST_CASE("csv: a line for each sentence and head, and no cell that needs quotes") {
  const tests::TemporaryFolder folder;
  const Export made = make_export();
  const auto writer = make_csv_writer(folder / "a.csv", made.plan);
  write_all(*writer, made);
  std::istringstream lines(read_file(folder / "a.csv", "it"));
  std::string line;
  std::getline(lines, line);
  CHECK(line ==
        "sentence,kind,layer,head,rows,entropy,relative_entropy,distance,confidence,special_share,previous,next,same,"
        "eos,bos,role");
  const auto commas = std::count(line.begin(), line.end(), ',');
  size_t count = 0;
  for (; std::getline(lines, line); ++count) CHECK(std::count(line.begin(), line.end(), ',') == commas);
  CHECK(count == 2 * 24);
}

/// The bytes of an export in every format; a sentence with more than `batch_bytes` of weights comes a layer at a time.
std::vector<std::string> files(const Selection& selection, int64_t batch_bytes) {
  const tests::TemporaryFolder folder;
  auto options = toy::options();
  options.decoder_layers = 3;
  auto model = toy::model(options);
  ExportPlan plan = toy::plan({nasty(0), toy::sentence(1, 5, 4), toy::sentence(2, 2, 9)}, options);
  plan.selection = selection;
  PageWriter page(folder / "a.html", "toy");
  page.begin_run("toy", plan);
  const auto write = [&](AttentionWriter& writer) {
    // One after the other: padding would change the last bits of weights.
    for (const Sentence& sentence : plan.sentences) capture(model, {sentence}, plan.selection, writer, batch_bytes);
  };
  write(page);
  page.end_run();
  page.finish();
  std::vector<std::string> contents{read_file(folder / "a.html", "it")};
  for (const auto& make : {make_safetensors_writer, make_npz_writer, make_bertviz_writer, make_csv_writer}) {
    const auto writer = make(folder / "a", plan);
    write(*writer);
    writer->finish();
    contents.push_back(read_file(folder / "a", "it"));
  }
  return contents;
}

TEST_CASE("Files are the same whether a sentence comes whole or a layer at a time") {
  auto options = toy::options();
  options.decoder_layers = 3;
  for (const char* kinds : {"all", "cross", "encoder,cross", "decoder"}) {
    for (const char* layers : {"all", "1", "2"}) {
      const Selection selection = parse_selection(kinds, layers, "1,3", options);
      CHECK(files(selection, int64_t{64} << 20) == files(selection, 0));
    }
  }
}

TEST_CASE("Sizes are known before, and too much is refused with what to change") {
  const Export made = make_export();
  int64_t bytes = 0;
  for (const PlannedTensor& tensor : planned_tensors(made.plan)) bytes += tensor.bytes();
  CHECK(bytes == 2 * 4 * 4 * (4 * 4 + 3 * 3 + 3 * 4 + 6 * 6 + 5 * 5 + 5 * 6));
  CHECK(estimated_bytes(made.plan, "safetensors") == bytes);
  CHECK(estimated_bytes(made.plan, "html") == bytes * 2 / 3);
  require_fitting(made.plan, "npz", bytes);
  CHECK(tests::mentions(tests::error_message([&] { require_fitting(made.plan, "npz", bytes - 1); }), "--limit"));
}

}  // namespace
}  // namespace attnlab::inspection
