#include "app/text_input.h"

#include <iostream>
#include <iterator>

#include "support/files.h"

namespace attnlab::app {

std::vector<std::string> read_lines(const std::string& path, const std::string& what) {
  const std::string text = path == "-" ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : read_file(path, what);
  std::vector<std::string> lines;
  size_t start = 0;
  while (start < text.size()) {
    size_t end = text.find('\n', start);
    if (end == std::string::npos) end = text.size();
    size_t length = end - start;
    if (length > 0 && text[start + length - 1] == '\r') --length;
    lines.push_back(text.substr(start, length));
    start = end + 1;
  }
  return lines;
}

}  // namespace attnlab::app
