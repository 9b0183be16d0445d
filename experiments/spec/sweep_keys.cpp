#include "experiments/spec/sweep_spec.h"

namespace attnlab::spec {

const std::vector<SweepKey>& sweep_keys() {
  static const std::vector<SweepKey> keys = {
      {"$schema", "text", "", "path or address of the JSON schema, for editors; the program does not look at it"},
      {"name", "text", "the file's name", "name of the sweep in tables and reports"},
      {"description", "text", "", "what the sweep is about, for the report"},
      {"base", "object or path", "{}",
       "settings that all runs share (the keys below), or the path of a JSON file with them, from the folder of the "
       "spec"},
      {"seeds", "list or count", "[base.seed]",
       "seeds of the runs of each cell: a list of different whole numbers from 0, or a count (5 = 1 to 5)"},
      {"grid", "object of lists", "{}", "dotted key -> values: every combination is a cell"},
      {"zip", "object of lists", "{}",
       "dotted key -> values, lists of equal length that advance together; combined with the grid"},
      {"variants", "list or object", "[]",
       "named changes, combined with grid and zip: [{\"name\": \"big\", \"set\": {\"model.d_model\": 1024}}] or "
       "{\"big\": {\"model.d_model\": 1024}}"},
      {"include", "list of objects", "[]", "extra cells: dotted key (or \"variant\") -> value, on top of base"},
      {"exclude", "list of objects", "[]",
       "cells of the product to leave out: all that agree with every dotted key (or \"variant\") named"},
      {"set", "object", "{}",
       "dotted key -> value, changed last in every cell; an axis of the same key is dropped. `--set` writes here"},
      {"metric", "object", "{\"name\": \"test.bleu\"}",
       "what the table compares: name (see below) and goal, maximize or minimize (default: the metric's own)"},
      {"baseline", "object", "{}",
       "dotted key (or \"variant\") -> value: each cell is compared with the one that has these values and is equal in "
       "all else"},
      {"published", "object", "{}",
       "numbers that a paper printed, for the report to set beside the results: source (which paper and table) and "
       "rows, "
       "each a cell (dotted key or \"variant\" -> value) with metric -> number: {\"source\": \"Vaswani et al. 2017, "
       "Table 3\", \"rows\": [{\"cell\": {\"model.heads\": 1}, \"test.bleu\": 24.9}]}"},
      {"run_cap", "whole number", "256", "most runs of the sweep; more are refused"},
      {"on_divergence", "fail or record", "fail",
       "whether a run whose loss becomes NaN or explodes is a failure of the sweep or a result"},
  };
  return keys;
}

}  // namespace attnlab::spec
