#pragma once
/// Numbers in the report's tables.

#include <cstddef>
#include <optional>
#include <string>

#include "experiments/results/layout.h"
#include "experiments/results/report/html.h"
#include "experiments/results/report/sections.h"

namespace attnlab::results::report {

/// "+1.20", with the digits that suit the metric.
std::string signed_text(const std::string& metric, double value);

/// "[+0.41, +1.99]".
std::string interval_text(const std::string& metric, double low, double high);

/// A dash, for what is not known.
Field empty_field();

Field count_field(size_t count);
Field interval_field(const std::string& metric, const std::optional<double>& low, const std::optional<double>& high);
Field p_field(const std::optional<double>& p);

/// A table of the page for one that was laid out for all formats; its columns are named by their heads.
HtmlTable table_of(const TableLayout& layout);

/// A cell's levels, short, for a column under `cells_head`.
Field cell_field(const Content& content, size_t cell);

}  // namespace attnlab::results::report
