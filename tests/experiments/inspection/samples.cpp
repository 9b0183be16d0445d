// Writes sample exports of toy models into a folder, for the tests that open them with other programs:
//   inspection_samples FOLDER

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "experiments/inspection/page_writer.h"
#include "support/files.h"
#include "tests/experiments/inspection/toy.h"

namespace attnlab::inspection {
namespace {

namespace fs = std::filesystem;

/// Tokens that break careless pages: markup, quotes, right-to-left text, emoji, control and direction characters,
/// broken UTF-8.
Sentence hostile(int64_t id) {
  const std::vector<std::string> pieces = {
      "▁</script>", "▁<b>x",         "</b>",        "▁\"quoted'`",           "▁${x}&lt;",
      "▁שלום",      "▁مرحبا",        "▁👩\u200D👧", std::string("▁a\0b", 6), "▁\u202Eback",
      "\u2028",     "▁\xFF\xE2\x80", "▁]]><!--"};
  Sentence sentence = toy::sentence(id, static_cast<int64_t>(pieces.size()), 3);
  int64_t word = -1;
  for (size_t i = 0; i < pieces.size(); ++i) {
    word += pieces[i].rfind("▁", 0) == 0 ? 1 : 0;
    sentence.source[i].piece = pieces[i];
    sentence.source[i].word = word;
  }
  sentence.source_text = "</script><script>alert(1)</script> \u202E שלום";
  sentence.target_text = "t0 t1 t2";
  return sentence;
}

void write_page(const fs::path& path, std::vector<std::pair<std::string, modules::Transformer>> runs,
                const std::vector<Sentence>& sentences) {
  PageWriter page(path, runs.front().first);
  for (auto& [name, model] : runs) {
    const ExportPlan plan = toy::plan(sentences, model->options());
    page.begin_run(name, plan);
    capture(model, plan.sentences, plan.selection, page);
    page.end_run();
  }
  page.finish();
}

void write_files(const fs::path& folder) {
  auto model = toy::model(toy::options());
  const ExportPlan plan = toy::plan({toy::sentence(0, 5, 4), hostile(1)}, model->options());
  std::vector<std::unique_ptr<AttentionWriter>> writers;
  writers.push_back(make_safetensors_writer(folder / "attention.safetensors", plan));
  writers.push_back(make_npz_writer(folder / "attention.npz", plan));
  writers.push_back(make_bertviz_writer(folder / "attention.bertviz.jsonl", plan));
  std::string values = "[";
  capture(model, plan.sentences, plan.selection, [&](const SentenceMaps& maps) {
    for (const auto& writer : writers) toy::write(*writer, maps);
    values += fmt::format("{}{:.9g}", values.size() > 1 ? "," : "", maps.kinds[2].weights[1][3][2][4].item<float>());
  });
  for (const auto& writer : writers) writer->finish();
  write_file_atomically(folder / "cross_layer1_head3_query2_key4.json", values + "]");
}

int run(const fs::path& folder) {
  fs::create_directories(folder);
  write_files(folder);
  write_page(folder / "page.html", {{"neighbours </title><script>alert(2)</script>", toy::looks_at_neighbours()}},
             {toy::sentence(0, 7, 5), hostile(1)});
  auto other = toy::looks_at_neighbours();
  other->reset_parameters(9);
  write_page(folder / "two.html", {{"first", toy::looks_at_neighbours()}, {"second", other}},
             {toy::sentence(0, 7, 5), toy::sentence(1, 4, 6)});
  auto large = toy::options();
  large.d_model = 64;
  large.heads = 16;
  large.encoder_layers = 24;
  large.decoder_layers = 1;
  large.source_vocab = large.target_vocab = 256;
  write_page(folder / "large.html", {{"24 x 16 heads", toy::model(large)}}, {toy::sentence(0, 199, 30)});
  return 0;
}

}  // namespace
}  // namespace attnlab::inspection

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: inspection_samples FOLDER\n", stderr);
    return 2;
  }
  return attnlab::inspection::run(argv[1]);
}
