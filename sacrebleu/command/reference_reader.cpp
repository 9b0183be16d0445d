#include "sacrebleu/command/reference_reader.h"

#include <fmt/format.h>

#include "sacrebleu/command/fields.h"
#include "sacrebleu/error.h"

namespace sacrebleu {

ReferenceReader::ReferenceReader(const std::vector<std::string>& files, const std::string& encoding, int references)
    : references_(static_cast<std::size_t>(references)) {
  for (const auto& file : files) files_.push_back({file, LineReader(file, encoding)});
}

void ReferenceReader::next(std::size_t lines, std::vector<std::vector<std::string>>& streams) {
  streams.resize(files_.size() * references_);
  for (auto& stream : streams) stream.resize(lines);
  for (std::size_t f = 0; f < files_.size(); ++f) {
    auto& [name, reader] = files_[f];
    for (std::size_t i = 0; i < lines; ++i) {
      std::string_view line;
      const bool more = reader.next(line);
      split_references(line, static_cast<int>(references_), fields_);
      if (!more || fields_.size() != references_)
        throw Error(ErrorKind::file, fmt::format("'{}' was changed while it was read: score again", name));
      for (std::size_t k = 0; k < references_; ++k) streams[f * references_ + k][i] = fields_[k];
    }
  }
}

}  // namespace sacrebleu
