#pragma once
/// Encoded pairs in a file that is mapped into memory, so that a corpus is tokenised once and its ids stay on the disk,
/// shared by all processes that train on it.
///
/// The file: a head (what it is, where the index lies, the index's digest), then for each split its ids (int32: source
/// 0, target 0, source 1, ...) and where each of them ends (uint64), then the index (JSON: for what it was made, the
/// splits, a digest for every MiB before it). Little-endian, as the machines are that this runs on.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "experiments/data/pairs.h"
#include "support/file_pieces.h"
#include "support/json.h"
#include "support/mapped_file.h"

namespace attnlab::data {

/// A file that has been checked against its digests.
class EncodedFile {
 public:
  /// Maps and checks all of it, on as many threads as there are cores. Throws attnlab::Error if it is damaged, cut off,
  /// of another version or not for this `key`, or cannot be mapped.
  EncodedFile(const std::filesystem::path& path, const std::string& key);

  size_t splits() const { return splits_.size(); }
  /// Good as long as the file is.
  Pairs split(size_t i) const { return splits_.at(i); }
  /// What its writer wished to remember.
  const Json& notes() const { return notes_; }

 private:
  MappedFile file_;
  std::vector<Pairs> splits_;
  Json notes_;
};

/// Writes one, pair after pair. It appears when `finish` ends; without that nothing is left.
class EncodedWriter {
 public:
  /// Throws attnlab::Error if nothing can be written there.
  EncodedWriter(const std::filesystem::path& path, std::string key);

  /// The next pair of the split at hand. Throws attnlab::Error, as all others.
  void add(std::span<const int32_t> source, std::span<const int32_t> target);
  /// Ends the split at hand; the next pair belongs to another.
  void end_split();
  /// After the last split's end.
  void finish(const Json& notes);

  /// Pairs of the split at hand.
  size_t pairs() const { return ends_.size() / 2; }

 private:
  void append(std::string_view bytes);
  void write_block(std::string_view block);
  uint64_t position() const { return file_.size() + waiting_.size(); }

  FileWriter file_;
  std::string key_;
  std::string waiting_;         // bytes that do not fill a block yet
  std::vector<uint64_t> ends_;  // of the split at hand
  uint64_t split_start_;
  Json splits_ = Json::array(), digests_ = Json::array();
};

}  // namespace attnlab::data
