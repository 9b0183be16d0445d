#pragma once
/// The test sets that the original can download. Here they are used only when their files already lie in the SACREBLEU
/// folder.

#include <filesystem>
#include <string>
#include <vector>

namespace sacrebleu {

/// Every name that the original knows, sorted backwards as its messages list them.
const std::vector<std::string>& test_set_names();

/// The files of test sets: FOLDER/NAME/NAME.PAIR.FIELD, where a slash within a name becomes an underscore.
class TestSetFolder {
 public:
  explicit TestSetFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] const std::filesystem::path& path() const { return folder_; }
  /// Language pairs whose files are there.
  [[nodiscard]] std::vector<std::string> language_pairs(const std::string& test_set) const;
  /// Fields ("src", "ref", "ref:A", ...) that are there, src first.
  [[nodiscard]] std::vector<std::string> fields(const std::string& test_set, const std::string& pair) const;
  [[nodiscard]] std::string file(const std::string& test_set, const std::string& pair, const std::string& field) const;

 private:
  [[nodiscard]] std::vector<std::string> names_below(const std::string& test_set) const;

  std::filesystem::path folder_;
};

}  // namespace sacrebleu
