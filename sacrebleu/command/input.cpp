#include "sacrebleu/command/input.h"

namespace sacrebleu {

std::vector<std::string> read_lines(LineReader& reader) {
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  return lines;
}

std::vector<std::string> read_lines(const std::string& file, const std::string& encoding) {
  LineReader reader(file, encoding);
  return read_lines(reader);
}

std::vector<std::string> read_lines(std::istream& stream, const std::string& name, const std::string& encoding,
                                    LineEnds ends) {
  LineReader reader(stream, name, encoding, ends);
  return read_lines(reader);
}

}  // namespace sacrebleu
