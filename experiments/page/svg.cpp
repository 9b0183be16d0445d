#include "experiments/page/svg.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "experiments/page/markup.h"

namespace attnlab::page {

namespace {

// Okabe & Ito (2008), "Color Universal Design": blue, vermilion, bluish green, reddish purple, orange, sky blue; grey
// in place of black, which is the ink. Yellow is left out: it cannot be seen on white.
constexpr std::array<const char*, kSeriesColours> kLight = {"#0072b2", "#d55e00", "#009e73", "#b5568b",
                                                            "#e69f00", "#56b4e9", "#777777"};
constexpr std::array<const char*, kSeriesColours> kDark = {"#4ea8e6", "#f58a4b", "#2cc295", "#e08fbd",
                                                           "#f3b73e", "#9bd6fb", "#a8adb3"};
constexpr std::array<const char*, 3> kDashes = {"", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 3\""};

std::string colour(Ink ink) {
  switch (ink.kind) {
    case Ink::Kind::soft:
      return "#59636e";
    case Ink::Kind::rule:
      return "#d5dae0";
    case Ink::Kind::series:
      return kLight[ink.series % kSeriesColours];
    default:
      return "#1b1f24";
  }
}

std::string name_of(Ink ink) {
  switch (ink.kind) {
    case Ink::Kind::soft:
      return "soft";
    case Ink::Kind::rule:
      return "rule";
    case Ink::Kind::series:
      return fmt::format("s{}", ink.series % kSeriesColours);
    default:
      return "ink";
  }
}

std::string filled(Ink ink, double opacity = 1) {
  const std::string faint = opacity < 1 ? fmt::format(" fill-opacity=\"{:.2f}\"", opacity) : "";
  return fmt::format("class=\"{} fill\" fill=\"{}\"{}", name_of(ink), colour(ink), faint);
}

std::string stroked(Ink ink, double width, double opacity = 1) {
  const std::string faint = opacity < 1 ? fmt::format(" stroke-opacity=\"{:.2f}\"", opacity) : "";
  const char* dash = ink.kind == Ink::Kind::series ? kDashes[ink.series / kSeriesColours % kDashes.size()] : "";
  return fmt::format("class=\"{} stroke\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.3g}\"{}{}", name_of(ink),
                     colour(ink), width, faint, dash);
}

std::string path_of(const Points& points) {
  std::string path;
  for (const auto& [x, y] : points) path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
  return path;
}

/// Dark inks for a file that is looked at by itself.
std::string dark_style() {
  std::string rules =
      ".ink.fill{fill:#e6e9ed}.ink.stroke{stroke:#e6e9ed}.soft.fill{fill:#98a2ad}.soft.stroke{stroke:#98a2ad}"
      ".rule.stroke{stroke:#3d4650}.rule.fill{fill:#3d4650}";
  for (size_t i = 0; i < kSeriesColours; ++i)
    rules += fmt::format(".s{0}.fill{{fill:{1}}}.s{0}.stroke{{stroke:{1}}}", i, kDark[i]);
  return "<style>@media (prefers-color-scheme:dark){" + rules + "}</style>\n";
}

std::string text_attributes(const TextLook& look) {
  return fmt::format("{} font-size=\"{:.4g}\" text-anchor=\"{}\"{}", filled(look.ink), look.size, look.anchor,
                     look.bold ? " font-weight=\"600\"" : "");
}

size_t characters(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

Svg::Svg(double width, double height, std::string title) : width_(width), height_(height), title_(std::move(title)) {}

void Svg::line(double x1, double y1, double x2, double y2, Ink ink, double width) {
  body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2,
                       stroked(ink, width));
}

void Svg::circle(double x, double y, double radius, Ink ink, double opacity, const std::string& hint) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.3g}\" {}", x, y, radius, filled(ink, opacity));
  body_ += hint.empty() ? "/>\n" : "><title>" + xml_text(hint) + "</title></circle>\n";
}

void Svg::ring(double x, double y, double radius, Ink ink) {
  body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.3g}\" {}/>\n", x, y, radius, stroked(ink, 1.5));
}

void Svg::cross(double x, double y, double reach, Ink ink) {
  body_ += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f}\" {}/>\n", x - reach,
                       y - reach, x + reach, y + reach, x - reach, y + reach, x + reach, y - reach, stroked(ink, 1.8));
}

void Svg::curve(const Points& points, Ink ink, double width, double opacity) {
  body_ +=
      fmt::format("<path d=\"{}\" {} stroke-linejoin=\"round\"/>\n", path_of(points), stroked(ink, width, opacity));
}

void Svg::area(const Points& points, Ink ink, double opacity) {
  body_ += fmt::format("<path d=\"{}Z\" {}/>\n", path_of(points), filled(ink, opacity));
}

void Svg::rectangle(double x, double y, double width, double height, Ink ink, double opacity, const std::string& hint) {
  body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}", x, y, width, height,
                       filled(ink, opacity));
  body_ += hint.empty() ? "/>\n" : "><title>" + xml_text(hint) + "</title></rect>\n";
}

void Svg::text(double x, double y, const std::string& content, const TextLook& look) {
  body_ +=
      fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, text_attributes(look), xml_text(content));
}

void Svg::upright_text(double x, double y, const std::string& content, const TextLook& look) {
  body_ += fmt::format("<text x=\"{0:.1f}\" y=\"{1:.1f}\" transform=\"rotate(-90 {0:.1f} {1:.1f})\" {2}>{3}</text>\n",
                       x, y, text_attributes(look), xml_text(content));
}

void Svg::open(const std::string& attributes) {
  body_ += "<g " + attributes + ">\n";
}

void Svg::close() {
  body_ += "</g>\n";
}

std::string Svg::outer(const std::string& attributes, const std::string& before) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif\" role=\"img\"{2}>\n"
      "<title>{3}</title>\n{4}{5}</svg>\n",
      width_, height_, attributes.empty() ? "" : " " + attributes, xml_text(title_), before, body_);
}

std::string Svg::document() const {
  return outer("", dark_style());
}

std::string Svg::element(const std::string& attributes) const {
  return outer(attributes, "");
}

double tick_step(double low, double high) {
  const double rough = (high - low) / 5;
  if (!(rough > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

std::vector<double> ticks(double low, double high) {
  const double step = tick_step(low, high);
  std::vector<double> values;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) values.push_back(i * step + 0.0);
  return values;
}

double text_width(const std::string& text, double size) {
  return 0.61 * size * static_cast<double>(characters(printable(text)));
}

std::string shortened(const std::string& text, size_t most) {
  const std::string valid = printable(text);
  if (characters(valid) <= most) return valid;
  size_t end = 0;
  for (size_t count = 0; end < valid.size(); ++end)
    if ((static_cast<unsigned char>(valid[end]) & 0xC0) != 0x80 && count++ == most - 1) break;
  return valid.substr(0, end) + "…";
}

}  // namespace attnlab::page
