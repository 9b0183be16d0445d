// The page's file. What it shows and does in a browser is tested in one (tests/interop/page_test.py).

#include "experiments/inspection/page_writer.h"

#include <cstring>

#include <nlohmann/json.hpp>

#include "experiments/page/frame.h"
#include "support/error.h"
#include "support/files.h"
#include "support/sha256.h"
#include "tests/experiments/inspection/toy.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::inspection {
namespace {

std::string between(const std::string& text, const std::string& open, const std::string& close, size_t from = 0) {
  const size_t start = text.find(open, from);
  REQUIRE(start != std::string::npos);
  return text.substr(start + open.size(), text.find(close, start + open.size()) - start - open.size());
}

size_t count_of(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST_CASE("16 bits hold a weight to better than 1e-4") {
  CHECK(sixteen_bits(torch::tensor({0.f, 1.f})) == std::string("\x00\x00\xff\xff", 4));
  CHECK(sixteen_bits(torch::tensor({0.5f})) == std::string("\x00\x80", 2));  // round(32767.5)
  CHECK(kPageError < 1e-4);
}

std::string page_of(const std::string& name, Sentence sentence) {
  const tests::TemporaryFolder folder;
  auto model = toy::model(toy::options());
  const ExportPlan plan = toy::plan({std::move(sentence)}, model->options());
  PageWriter page(folder / "page.html", name);
  page.begin_run(name, plan);
  capture(model, plan.sentences, plan.selection, page);
  page.end_run();
  page.finish();
  return read_file(folder / "page.html", "the page");
}

TEST_CASE("Hostile tokens and names stay data") {
  const std::string hostile =
      std::string("</script><script>alert(1)</script><!-- ]]> \" ' ` &lt; ${x} \xE2\x80\xA8 \xE2\x80\xAE \xFF") + '\0';
  Sentence sentence = toy::sentence(0, 2, 2);
  sentence.source[0].piece = sentence.source_text = sentence.target_text = hostile;
  const std::string page = page_of(hostile, sentence);
  CHECK(page.find("<script>alert") == std::string::npos);
  CHECK(page.find('\0') == std::string::npos);
  CHECK(page.find("\xFF") == std::string::npos);
  CHECK(count_of(page, "<script>") == 1);       // the page's own
  CHECK(count_of(page, "<script type=") == 4);  // three kinds of weights and the data
  CHECK(count_of(page, "</script>") == 5);
  const auto data = nlohmann::json::parse(between(page, "id=\"data\">", "</script>"));
  std::string shown = hostile;
  shown.replace(shown.find('\xFF'), 1, "\xEF\xBF\xBD");
  CHECK(data["runs"][0]["sentences"][0]["source"]["pieces"][0] == shown);
  CHECK(data["runs"][0]["name"] == shown);
}

TEST_CASE("The page may load nothing and run nothing but its own script") {
  const std::string page = page_of("toy", toy::sentence(0, 2, 2));
  const std::string policy = between(page, "Content-Security-Policy\" content=\"", "\"");
  CHECK(policy.find("default-src 'none'") == 0);
  CHECK(policy.find("script-src 'sha256-") != std::string::npos);
  CHECK(policy.find("connect-src") == std::string::npos);
  for (const char* outside : {"src=\"http", "href=\"http", "@import", "fetch(", "XMLHttpRequest"})
    CHECK(page.find(outside) == std::string::npos);
  const std::string script = between(page, "<script>", "</script>");
  const std::string hex = sha256_hex(script);
  std::string digest;
  for (size_t i = 0; i < hex.size(); i += 2)
    digest.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  CHECK(policy.find("'sha256-" + page::base64(digest) + "'") != std::string::npos);
}

TEST_CASE("Runs side by side must have the same sources") {
  const tests::TemporaryFolder folder;
  auto model = toy::model(toy::options());
  PageWriter page(folder / "page.html", "two");
  for (const int64_t id : {0, 1}) {
    const ExportPlan plan = toy::plan({toy::sentence(id, 2, 2)}, model->options());
    page.begin_run("run", plan);
    capture(model, plan.sentences, plan.selection, page);
    page.end_run();
  }
  CHECK_THROWS_AS(page.finish(), Error);
  CHECK_FALSE(std::filesystem::exists(folder / "page.html"));
}

}  // namespace
}  // namespace attnlab::inspection
