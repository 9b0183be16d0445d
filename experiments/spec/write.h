#pragma once
/// A configuration back into JSON, complete and always in the same order.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "experiments/spec/run_config.h"
#include "experiments/spec/table.h"
#include "support/json.h"

namespace attnlab::spec {

/// Every key of `config` with its value, defaults filled in, in the order of the reference page. Equal configurations
/// give equal text; `parse_run_config` reads it back to the same configuration.
Json to_json(const RunConfig& config);

/// `to_json` without those keys that are marked as added (`Field::added`) and have their default: what identities are
/// computed from, so that runs keep theirs when a key is added.
Json canonical_json(const RunConfig& config);

/// The same of any table; `defaults` is the table of the same keys with their defaults.
Json canonical_json(const Table& table, const Table& defaults);

/// The value of a dotted path ("model.heads"). For a shorthand whose targets differ: a list of their values. Throws
/// attnlab::Error for an unknown path.
Json value_at(const RunConfig& config, const std::string& path);

/// The same for many configurations: their table is made once, and no JSON is built for a text.
class Writer {
 public:
  Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// `canonical_json(config).dump()`.
  std::string canonical_text(const RunConfig& config);

  /// The values of all keys below `group` ("data"): a text that differs where one of them does.
  std::string text_below(const RunConfig& config, const std::string& group);

  /// `value_at(config, path)`.
  Json value(const RunConfig& config, const std::string& path);

 private:
  using Value = std::variant<int64_t, double, bool, std::string, std::vector<std::string>>;

  /// A key's value, and the text between it and the one before. Few values change from one configuration to the next:
  /// the text of the last one is kept. Keys that were added later have none: where one is set, the text is made anew.
  struct Piece {
    std::string before;
    const Field* field;
    Value value;
    std::string text;
  };
  void add_pieces(const Json& skeleton, std::string& before);
  bool has_added_keys() const;

  RunConfig initial_, config_;
  Table defaults_;  ///< of initial_
  Table table_;     ///< of config_
  std::vector<Piece> pieces_;
  std::string end_;
};

}  // namespace attnlab::spec
