#pragma once
/// What there is of each kind, told to a person: `attnlab list TOPIC`. Everything comes from the registries and the
/// table of keys, so a new variant is told of as soon as it is registered.

#include <string>
#include <vector>

namespace attnlab::spec {

/// One thing that can be chosen by name.
struct Entry {
  std::string name;
  std::string meaning;               ///< one line
  std::string paper;                 ///< where it comes from; empty: no single one
  std::vector<std::string> stands;   ///< where it may stand
  std::vector<std::string> refuses;  ///< what it cannot be combined with
};

/// All things of one kind.
struct Topic {
  std::string name;     ///< "attention"
  std::string meaning;  ///< one line
  std::vector<Entry> (*entries)();
};

/// Every topic, in the order in which they are shown.
const std::vector<Topic>& topics();

}  // namespace attnlab::spec
