#pragma once
/// The one table of a configuration's keys: where each value lives, what it means and what it may be. Reader, writer,
/// schema and reference page all work from it, so that they cannot disagree.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/spec/variants.h"

namespace attnlab::spec {

/// A typed place inside a configuration.
using Member = std::variant<int64_t*, double*, bool*, std::string*, std::vector<std::string>*>;

/// One key.
struct Field {
  std::string path;     ///< dotted, from the root: "model.norm.placement"
  Member member;        ///< where its value is
  std::string meaning;  ///< one line

  std::optional<double> minimum, maximum;         ///< inclusive bounds of a number
  std::optional<double> above, below;             ///< exclusive bounds of a number
  std::vector<Choice> choices;                    ///< the only texts (or items) allowed; empty: any
  size_t shortest = 0;                            ///< least length of a text (bytes) or list (items)
  std::string pattern;                            ///< what a text must look like, for the schema (a regular expression)
  std::string pattern_words;                      ///< the same for a person; empty: any text
  bool (*matches)(const std::string&) = nullptr;  ///< the same for the reader
  bool is_added = false;                          ///< see `added`

  Field& at_least(double value) {
    minimum = value;
    return *this;
  }
  Field& at_most(double value) {
    maximum = value;
    return *this;
  }
  Field& more_than(double value) {
    above = value;
    return *this;
  }
  Field& less_than(double value) {
    below = value;
    return *this;
  }
  Field& one_of(std::vector<Choice> values) {
    choices = std::move(values);
    return *this;
  }
  Field& not_empty() {
    shortest = 1;
    return *this;
  }
  Field& matching(bool (*test)(const std::string&), std::string expression, std::string words) {
    matches = test;
    pattern = std::move(expression);
    pattern_words = std::move(words);
    return *this;
  }

  /// Marks a key that came after runs had been named without it: while it has its default it is left out of the
  /// canonical JSON (`canonical_json`), and no run's hash changes. Its default may never change, then.
  Field& added() {
    is_added = true;
    return *this;
  }

  /// "a whole number of at least 1", "one of post, pre": the allowed values in words.
  std::string expected() const;
};

/// A key that stands for several longer ones. `path` is replaced by each of `targets`; what lies below it
/// (`model.positions.type`) goes along.
struct Shorthand {
  std::string path;
  std::vector<std::string> targets;
  std::string meaning;
};

/// All keys of one configuration object, in the order of the reference page.
struct Table {
  std::deque<Field> fields;  ///< a deque: references that `add` returned stay good
  std::vector<Shorthand> shorthands;

  /// Adds a key; refine the result with `at_least` and the others.
  Field& add(std::string path, Member member, std::string meaning);
  void add_shorthand(std::string path, std::vector<std::string> targets, std::string meaning);

  const Field* find(const std::string& path) const;                     ///< nullptr: no such key
  const Shorthand* find_shorthand(const std::string& path) const;       ///< nullptr: no such shorthand
  bool is_group(const std::string& path) const;                         ///< keys exist below `path` ("" is the root)
  std::vector<std::string> keys_below(const std::string& group) const;  ///< names one level below, shorthands included
  std::vector<std::string> all_paths() const;  ///< every field and every path that shorthands open
};

}  // namespace attnlab::spec
