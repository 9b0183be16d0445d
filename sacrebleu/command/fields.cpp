#include "sacrebleu/command/fields.h"

#include "sacrebleu/unicode.h"

namespace sacrebleu {

void split_tabs(std::string_view line, int most, std::vector<std::string_view>& fields) {
  fields.clear();
  while (most < 0 || static_cast<int>(fields.size()) < most) {
    const auto tab = line.find('\t');
    if (tab == std::string_view::npos) break;
    fields.push_back(line.substr(0, tab));
    line.remove_prefix(tab + 1);
  }
  fields.push_back(line);
}

void split_references(std::string_view line, int references, std::vector<std::string_view>& fields) {
  split_tabs(rstrip(line), references - 1, fields);
}

}  // namespace sacrebleu
