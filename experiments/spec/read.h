#pragma once
/// JSON -> RunConfig, refusing whatever is unknown, mistyped, out of range or impossible together.

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/spec/run_config.h"
#include "support/json.h"

namespace attnlab::spec {

/// Changes from the command line, which beat the file.
struct Overrides {
  std::vector<std::string> set;    ///< `key=value`: the value is JSON, or a bare text
  std::vector<std::string> sweep;  ///< `key=v1,v2,v3` or `key=[...]`: an axis of the grid (sweeps only)
};

/// One `key=value` taken apart.
struct Override {
  std::string key;
  Json value;
};

/// Takes `key=value` apart. Text keys keep bare text as it is ("data.train=2016" is a text). Throws attnlab::Error.
Override parse_set(const std::string& text);

/// Takes `key=v1,v2` apart: the value is a list.
Override parse_sweep(const std::string& text);

/// The configuration in `json`; `where` names the document in messages. Throws attnlab::Error.
RunConfig parse_run_config(const Json& json, const std::string& where, const Overrides& overrides = {});

/// The configuration in a file: what `attnlab train` takes, or the config.json of a finished run.
RunConfig read_run_config(const std::filesystem::path& path, const Overrides& overrides = {});

}  // namespace attnlab::spec
