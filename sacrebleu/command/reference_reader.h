#pragma once
/// The reference files of a test set read side by side, some lines at a time.

#include <string>
#include <string_view>
#include <vector>

#include "sacrebleu/command/line_reader.h"

namespace sacrebleu {

/// Files that have been read and checked before, and are read again.
class ReferenceReader {
 public:
  /// Each file has that many references a line; several only in a single file. Throws Error as LineReader does.
  ReferenceReader(const std::vector<std::string>& files, const std::string& encoding, int references);

  /// Writes the next lines into streams [references][lines]. Throws Error for files that have fewer by now, or other
  /// numbers of fields.
  void next(std::size_t lines, std::vector<std::vector<std::string>>& streams);

 private:
  struct File {
    std::string name;
    LineReader reader;
  };

  std::vector<File> files_;
  std::size_t references_;
  std::vector<std::string_view> fields_;
};

}  // namespace sacrebleu
