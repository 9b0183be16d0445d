#include "experiments/page/figure.h"

#include <cmath>
#include <limits>

#include "tests/support/catch.h"

namespace attnlab::page {
namespace {

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_CASE("a chart draws each finite point once, and its legend") {
  const double inf = std::numeric_limits<double>::infinity();
  const std::string svg =
      draw_chart({"a < b", "x", "y", false, {{"one", {{0, 1}, {1, 2}, {2, inf}}}, {"two", {}}}}).document();
  CHECK(count(svg, "<circle") == 2);
  CHECK(count(svg, ">two<") == 1);
  CHECK(count(svg, "a &lt; b") == 2);
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
}

TEST_CASE("a logarithmic chart leaves out what has no logarithm") {
  const std::string svg =
      draw_chart({"t", "x", "y", true, {{"one", {{0, 1e-3}, {1, 0}, {2, -1}, {3, 10}}}}}).document();
  CHECK(count(svg, "<circle") == 2);
  CHECK(svg.find(">0.01<") != std::string::npos);
}

TEST_CASE("empty and constant charts are drawn too") {
  CHECK(draw_chart({}).document().find("</svg>") != std::string::npos);
  CHECK(draw_chart({"t", "x", "y", false, {{"one", {{1, 5}}}}}).document().find("nan") == std::string::npos);
}

TEST_CASE("maps have a field for each value") {
  CHECK(count(draw_heat_map({"t", "x", "y", {{1, -0.5}, {std::nan(""), 0}}}).document(), "<rect") == 3);
  OutcomeMap map{"t", "rate", "warm-up", {"a", "b"}, {"0", "100"}, {}};
  map.blocks = {{"post", {{{"0/3", "hint", 0}, {"3/3", "", 1}}, {{"1/3", "", 0.5}, {"-", "", 0.5}}}}};
  const std::string svg = draw_outcomes(map).document();
  CHECK(count(svg, "<rect") == 4);
  CHECK(count(svg, "<title>hint</title>") == 1);
}

}  // namespace
}  // namespace attnlab::page
