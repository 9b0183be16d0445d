#pragma once
/// Encoded lines in a file, so that a corpus is tokenised once. The file says for what it was made and carries a digest
/// of itself: one that is damaged, cut off or of another version is as good as none.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace attnlab::data {

/// The two sides of a split, uncropped, without eos.
struct EncodedSides {
  std::vector<tokenizer::Ids> source, target;
};

/// The splits in the order in which they were written; nothing if the file is missing, damaged or not for this `key`.
std::optional<std::vector<EncodedSides>> read_encoded(const std::filesystem::path& path, const std::string& key);

/// Written atomically. Throws attnlab::Error.
void write_encoded(const std::filesystem::path& path, const std::string& key, const std::vector<EncodedSides>& splits);

}  // namespace attnlab::data
