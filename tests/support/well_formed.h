#pragma once
/// Whether a text is well-formed XML, as far as our writers can go wrong: nesting, quotes, stray markup, entities.

#include <string>
#include <vector>

namespace attnlab::tests {

/// What is wrong, with the place; empty if nothing is. Knows elements, attributes in double quotes, text and the five
/// named and numeric entities; no comments, no declarations.
inline std::string well_formed_problem(const std::string& text) {
  std::vector<std::string> open;
  const auto at = [&](size_t i) { return " at byte " + std::to_string(i) + ": " + text.substr(i, 60); };
  size_t roots = 0;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '&') {
      const size_t end = text.find(';', i);
      if (end == std::string::npos || end - i > 8) return "no entity" + at(i);
      i = end + 1;
    } else if (text[i] != '<') {
      if (open.empty() && text[i] != '\n') return "text outside the root" + at(i);
      ++i;
    } else if (text[i + 1] == '/') {
      const size_t end = text.find('>', i);
      const std::string name = text.substr(i + 2, end - i - 2);
      if (open.empty() || open.back() != name) return "closes what is not open" + at(i);
      open.pop_back();
      i = end + 1;
    } else {
      size_t end = i + 1;
      const size_t name_end = text.find_first_of(" />\n", end);
      const std::string name = text.substr(end, name_end - end);
      if (name.empty() || name.find_first_of("<&\"'") != std::string::npos) return "no name of an element" + at(i);
      bool quoted = false;
      for (end = name_end; end < text.size() && (quoted || text[end] != '>'); ++end) {
        if (text[end] == '<') return "< inside a tag" + at(i);
        if (text[end] == '"') quoted = !quoted;
      }
      if (end >= text.size()) return "tag without an end" + at(i);
      if (open.empty() && ++roots > 1) return "a second root" + at(i);
      if (text[end - 1] != '/') open.push_back(name);
      i = end + 1;
    }
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

}  // namespace attnlab::tests
