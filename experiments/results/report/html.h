#pragma once
/// Small pieces of HTML. Arguments named `html` are markup, all others plain text.

#include <string>
#include <vector>

#include "experiments/page/svg.h"

namespace attnlab::results::report {

/// Text that keeps its own direction.
std::string isolated(const std::string& text);

/// `isolated` in a fixed-width face.
std::string code(const std::string& text);

/// "-1.5" with a minus sign instead of a hyphen, wherever a number begins.
std::string with_minus(const std::string& text);

std::string section(const std::string& id, const std::string& title, const std::string& html);
std::string paragraph(const std::string& html, const std::string& classes = "");
std::string folded(const std::string& summary, const std::string& html);

/// A link to a file of the sweep, relative to the page.
std::string link(const std::string& path, const std::string& text);

/// A picture with its caption.
std::string figure(const page::Svg& svg, const std::string& caption, const std::string& attributes = "");

/// Sentences as a list.
std::string list(const std::vector<std::string>& sentences, const std::string& classes = "");

/// A number as the page's script reads it.
std::string sort_key(double value);

/// One entry of a table.
struct Field {
  std::string html;
  bool number = false;  ///< stands at the right
  std::string sort_by;  ///< a number to sort by; empty: the text
  std::string classes;
};

/// A table whose columns sort when their heads are pressed. `numbers` says which columns hold numbers; `row_classes` is
/// empty or has one entry a row.
struct HtmlTable {
  std::string caption;
  std::vector<std::string> heads;
  std::vector<bool> numbers;
  std::vector<std::vector<Field>> rows;
  std::vector<std::string> row_classes;
  std::string html() const;
};

Field text_field(const std::string& text);
Field number_field(const std::string& text, double sort_by);

}  // namespace attnlab::results::report
