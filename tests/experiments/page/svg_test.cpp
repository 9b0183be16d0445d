#include "experiments/page/svg.h"

#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/well_formed.h"

namespace attnlab::page {
namespace {

using tests::mentions;

Svg everything() {
  Svg svg(100, 50, "a < b & \"c\"");
  svg.open("class=\"axes\"");
  svg.line(0, 0, 10, 10, kRule);
  svg.upright_text(5, 5, "</text><script>", {kSoft, 10, "middle", true});
  svg.close();
  svg.circle(1, 2, 3, series_ink(0), 0.5, "seed 1: \xFF");
  svg.ring(1, 2, 3, kInk);
  svg.cross(5, 5, 2, kInk);
  svg.curve({{0, 0}, {10, 20.25}}, series_ink(8));
  svg.area({{0, 0}, {10, 0}, {10, 10}}, series_ink(1), 0.2);
  svg.rectangle(0, 0, 5, 5, kSoft, 0.1);
  svg.text(1, 1, "שלום");
  return svg;
}

TEST_CASE("A picture is well-formed whatever its texts are") {
  const Svg svg = everything();
  for (const std::string& text : {svg.document(), svg.element("class=\"figure\"")}) {
    INFO(text);
    CHECK(tests::well_formed_problem(text).empty());
    CHECK(mentions(text, "<title>a &lt; b &amp; &quot;c&quot;</title>", "&lt;/text&gt;&lt;script&gt;",
                   "d=\"M0.0 0.0L10.0 20.2\"", "viewBox=\"0 0 100 50\""));
  }
  CHECK(mentions(svg.document(), "prefers-color-scheme:dark"));
  CHECK_FALSE(mentions(svg.element(), "<style>"));
}

TEST_CASE("The eighth series has the first colour and dashes") {
  const std::string text = everything().element();
  CHECK(mentions(text,
                 "class=\"s1 stroke\" fill=\"none\" stroke=\"#d55e00\" stroke-width=\"2\" stroke-dasharray=\"6 3\""));
}

TEST_CASE("Axes have round numbers") {
  CHECK(tick_step(0, 10) == 2);
  CHECK(tick_step(0, 0.4) == Approx(0.1));
  CHECK(tick_step(3, 3) == 1);
  CHECK(ticks(0.5, 4.2) == std::vector<double>{1, 2, 3, 4});
  CHECK(ticks(-1, 1) == std::vector<double>{-1, -0.5, 0, 0.5, 1});
}

TEST_CASE("Long texts end in an ellipsis, between characters") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "ab…");
  CHECK(shortened("éééé", 3) == "éé…");
}

}  // namespace
}  // namespace attnlab::page
