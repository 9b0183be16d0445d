#include "experiments/spec/place.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "support/error.h"
#include "support/json.h"

namespace attnlab::spec {

Place Place::key(const std::string& name) const {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char letter) {
    return letter == '_' || (letter < 128 && std::isalnum(letter));
  });
  Place place = *this;
  if (!plain) {
    place.path_ += "[" + brief(name) + "]";
  } else {
    place.path_ += path_.empty() ? name : "." + name;
  }
  return place;
}

Place Place::item(size_t index) const {
  Place place = *this;
  place.path_ += fmt::format("[{}]", index);
  return place;
}

std::string Place::text() const {
  return path_.empty() ? document_ : document_ + ": " + path_;
}

void Place::refuse(const std::string& message) const {
  throw Error(text() + ": " + message);
}

}  // namespace attnlab::spec
