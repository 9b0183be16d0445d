#pragma once
/// Tab-separated fields of a line.

#include <string_view>
#include <vector>

namespace sacrebleu {

/// Python's line.split("\t", most), most < 0 for no limit: views into `line`, written into `fields`.
void split_tabs(std::string_view line, int most, std::vector<std::string_view>& fields);

/// The references of a line of a reference file that has so many of them a line; `fields` may have another number.
void split_references(std::string_view line, int references, std::vector<std::string_view>& fields);

}  // namespace sacrebleu
