#pragma once
/// A place inside a JSON document, as it is named to a person: `specs/demo.json: grid["model.heads"][2]`.

#include <cstddef>
#include <string>

namespace attnlab::spec {

class Place {
 public:
  /// The root of a document; `document` is its file, or "--set".
  explicit Place(std::string document) : document_(std::move(document)) {}

  Place key(const std::string& name) const;  ///< a member of the object here
  Place item(size_t index) const;            ///< an item of the list here, from 0
  std::string text() const;                  ///< "document: path", or "document" at the root

  /// Throws attnlab::Error "document: path: message".
  [[noreturn]] void refuse(const std::string& message) const;

 private:
  std::string document_, path_;
};

}  // namespace attnlab::spec
