#include "experiments/results/report/html.h"

#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "experiments/page/markup.h"

namespace attnlab::results::report {

using page::xml_text;

namespace {

constexpr size_t kTallTable = 40;  // rows; a longer table scrolls under its heads

}  // namespace

std::string isolated(const std::string& text) {
  return "<bdi>" + xml_text(text) + "</bdi>";
}

std::string code(const std::string& text) {
  return "<code><bdi>" + xml_text(text) + "</bdi></code>";
}

std::string with_minus(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || text[i - 1] == ' ' || text[i - 1] == '[';
    const bool number = i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1]));
    result += text[i] == '-' && begins && number ? "−" : std::string(1, text[i]);
  }
  return result;
}

std::string section(const std::string& id, const std::string& title, const std::string& html) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n", id,
      xml_text(title), html);
}

std::string paragraph(const std::string& html, const std::string& classes) {
  return "<p" + (classes.empty() ? "" : " class=\"" + classes + "\"") + ">" + html + "</p>\n";
}

std::string folded(const std::string& summary, const std::string& html) {
  return "<details><summary>" + xml_text(summary) + "</summary>\n" + html + "</details>\n";
}

std::string link(const std::string& path, const std::string& text) {
  return "<a href=\"" + page::link_address(path) + "\">" + isolated(text) + "</a>";
}

std::string list(const std::vector<std::string>& sentences, const std::string& classes) {
  std::string html = "<ul" + (classes.empty() ? "" : " class=\"" + classes + "\"") + ">\n";
  for (const auto& sentence : sentences) html += "<li>" + isolated(with_minus(sentence)) + "</li>\n";
  return html + "</ul>\n";
}

std::string figure(const page::Svg& svg, const std::string& caption, const std::string& attributes) {
  return "<figure><div class=\"scroll\">" +
         svg.element("class=\"figure\"" + (attributes.empty() ? "" : " " + attributes)) + "</div>" +
         (caption.empty() ? "" : "<figcaption>" + xml_text(caption) + "</figcaption>") + "</figure>\n";
}

std::string HtmlTable::html() const {
  std::string text =
      rows.size() > kTallTable ? "<div class=\"scroll tall\" tabindex=\"0\">" : "<div class=\"scroll\" tabindex=\"0\">";
  text += "<table class=\"sortable\">\n";
  if (!caption.empty()) text += "<caption>" + xml_text(caption) + "</caption>\n";
  text += "<thead><tr>";
  for (size_t i = 0; i < heads.size(); ++i)
    text += fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                        numbers[i] ? " class=\"number\"" : "", isolated(heads[i]));
  text += "</tr></thead>\n<tbody>\n";
  for (size_t r = 0; r < rows.size(); ++r) {
    text += row_classes.empty() || row_classes[r].empty() ? "<tr>" : "<tr class=\"" + row_classes[r] + "\">";
    for (const auto& field : rows[r]) {
      const std::string classes = (field.number ? "number" : "") +
                                  std::string(field.number && !field.classes.empty() ? " " : "") + field.classes;
      text += "<td" + (classes.empty() ? "" : " class=\"" + classes + "\"") +
              (field.sort_by.empty() ? "" : " data-sort=\"" + field.sort_by + "\"") + ">" + field.html + "</td>";
    }
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table></div>\n";
}

Field text_field(const std::string& text) {
  return {isolated(text), false, "", ""};
}

std::string sort_key(double value) {
  return std::isinf(value) ? (value > 0 ? "Infinity" : "-Infinity") : fmt::format("{}", value);
}

Field number_field(const std::string& text, double sort_by) {
  return {xml_text(with_minus(text)), true, sort_key(sort_by), ""};
}

}  // namespace attnlab::results::report
