// heads.csv, heads.json, pictures and the terminal's view.

#include "experiments/inspection/report.h"

#include <limits>
#include <sstream>

#include <nlohmann/json.hpp>

#include "experiments/inspection/pictures.h"
#include "experiments/inspection/text_view.h"
#include "support/files.h"
#include "tests/experiments/inspection/toy.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::inspection {
namespace {

HeadReport make_report() {
  HeadReport report;
  report.about = {{"run", "toy"}};
  report.sentences = 7;
  HeadSummary head;
  head.address = {AttentionKind::cross, 1, 2};
  head.entropy = 0.5;
  head.importance = 0.25;
  head.alignment_error_rate = std::numeric_limits<double>::quiet_NaN();
  report.heads = {head};
  report.layer_alignment = {{1, 0.125}};
  report.jensen_shannon[AttentionKind::cross] = torch::tensor({{0.0, 0.5}, {0.5, 0.0}});
  report.pruning = {{std::nullopt, 1, 2.0, 30.0}, {head.address, 0, 3.0, 5.0}};
  return report;
}

TEST_CASE("A report's files") {
  const tests::TemporaryFolder folder;
  const auto names = write_report(folder.path(), make_report());
  CHECK(names == std::vector<std::string>{"heads.csv", "heads.json", "importance.svg", "pruning.svg"});
  std::istringstream csv(read_file(folder / "heads.csv", "it"));
  std::string header, line;
  std::getline(csv, header);
  std::getline(csv, line);
  CHECK(header.rfind("kind,layer,head,rows,entropy,", 0) == 0);
  CHECK(line.rfind("cross,1,2,0,0.5,", 0) == 0);
  CHECK(std::count(line.begin(), line.end(), ',') == std::count(header.begin(), header.end(), ','));
  const auto json = nlohmann::json::parse(read_file(folder / "heads.json", "it"));
  CHECK(json["heads"][0]["importance"] == 0.25);
  CHECK(json["heads"][0]["alignment_error_rate"].is_null());
  CHECK(json["heads"][0]["loss_change"].is_null());
  CHECK(json["alignment"]["layer_means"][0]["alignment_error_rate"] == 0.125);
  CHECK(json["jensen_shannon"]["cross"][0][1] == 0.5);
  CHECK(json["pruning"][1]["removed"]["head"] == 2);
  CHECK(json["pruning"][0]["removed"].is_null());
}

TEST_CASE("Pictures hold their numbers and no markup from tokens") {
  CHECK(draw_heads({{{AttentionKind::encoder, 0, 1}, -0.25}}, "a < b").find(">-0.25<") != std::string::npos);
  CHECK(draw_heads({}, "a < b").find("a &lt; b") != std::string::npos);
  const std::string curve = draw_pruning(make_report().pruning);
  CHECK(curve.find("1 heads kept: 30") != std::string::npos);
  CHECK(curve.find("nan") == std::string::npos);
  CHECK(draw_pruning({}).find("<svg") == 0);
  Sentence sentence = toy::sentence(0, 1, 1);
  sentence.source[0].piece = "<script>\x01\xE2\x80\xAE";
  const std::string matrix = draw_matrix(torch::eye(2), sentence.source, sentence.source, "rollout");
  CHECK(matrix.find("<script>") == std::string::npos);
  CHECK(matrix.find("&lt;script&gt;⟨U+0001⟩⟨U+202E⟩") != std::string::npos);
}

TEST_CASE("The terminal's view shades by weight and shows control characters by number") {
  Sentence sentence = toy::sentence(0, 1, 1);
  sentence.source[0].piece = "a\x1b[31m";
  const std::string text =
      draw_text(torch::tensor({{0.9, 0.1}, {0.45, 0.3}}), sentence.source, sentence.source, "encoder layer 0 head 0");
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("a⟨U+001B⟩[31m │██░░│") != std::string::npos);
  CHECK(text.find("</s> │▓▓▒▒│") != std::string::npos);
}

}  // namespace
}  // namespace attnlab::inspection
