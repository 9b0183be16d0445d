#pragma once
/// The files that this program wrote into a sweep's folder, known by name: only these are replaced or removed. Their
/// list is the folder's `.written`, one name a line.
///
/// Below `runs/` and `tensorboard/` every name is the program's own and needs no list.

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::sweep {

class OwnFiles {
 public:
  /// Reads the list of the sweep in `out`, or begins it. A sweep of a version that kept none has a manifest and no
  /// list: from then on any file whose turn it is to be written is taken as own there, and of `figures/` the pictures
  /// that every sweep has; anything else is not. Throws attnlab::Error if `.written` is no such list.
  explicit OwnFiles(std::filesystem::path out);

  /// Whether a file of that name, if there is one, may be replaced.
  bool owns(const std::string& name) const { return takes_all_ || names_.contains(name); }

  /// Writes a file atomically. `name` is relative to the sweep's folder, as in "figures/cells.svg"; the folder must
  /// exist. Throws attnlab::Error if a file that is not own stands there.
  void write(const std::string& name, std::string_view content);

  /// Removes the own files in `folder` ("figures") that are not among `names`.
  void keep_only(const std::string& folder, const std::set<std::string>& names);

 private:
  bool read();
  void rewrite() const;

  std::filesystem::path out_;
  std::set<std::string> names_;
  bool takes_all_ = false;
};

/// Throws attnlab::Error if one of these files stands in `out` and is not own. Writes nothing, and `out` need not
/// exist: to ask before a long work begins.
void require_own(const std::filesystem::path& out, const std::vector<std::string>& names);

}  // namespace attnlab::sweep
