#include "experiments/page/markup.h"

#include "tests/support/catch.h"

namespace attnlab::page {
namespace {

TEST_CASE("What has no shape, or turns the direction of text, is shown by number") {
  CHECK(printable("👩\u200D👧") == "👩\u200D👧");
  CHECK(printable("\xFF") == "\xEF\xBF\xBD");
  CHECK(printable(std::string("a\0b\u202E", 6)) == "a⟨U+0000⟩b⟨U+202E⟩");
}

TEST_CASE("Text cannot become markup") {
  CHECK(xml_text("</script>\"'&") == "&lt;/script&gt;&quot;&#39;&amp;");
}

TEST_CASE("JSON cannot end the script that it stands in") {
  CHECK(script_safe(R"(["</script><!--&"])") == R"(["\u003c/script\u003e\u003c!--\u0026"])");
}

TEST_CASE("A path becomes an address") {
  CHECK(link_address("runs/heads=4_a-b/seed=1/run.json") == "runs/heads=4_a-b/seed=1/run.json");
  CHECK(link_address("a b#?%\"<é:") == "a%20b%23%3F%25%22%3C%C3%A9%3A");
}

}  // namespace
}  // namespace attnlab::page
