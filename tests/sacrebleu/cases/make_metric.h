#pragma once
/// Metrics and references from the JSON that the oracle scripts write.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sacrebleu/bleu.h"
#include "sacrebleu/chrf.h"
#include "sacrebleu/ter.h"
#include "tests/sacrebleu/cases/report.h"

namespace sacrebleu::cases {

using Streams = std::vector<std::vector<std::optional<std::string>>>;

BleuOptions bleu_options(const Json& options);
ChrfOptions chrf_options(const Json& options);
TerOptions ter_options(const Json& options);

/// metric: "bleu", "chrf" or "ter"; options: the keyword arguments of the Python class.
std::unique_ptr<Metric> make_metric(const std::string& metric, const Json& options);

/// streams[k][i], null for a missing reference.
Streams reference_streams(const Json& streams);

/// The Python exception of an error of ours: "IndexError", ...
std::string python_name(ErrorKind kind);

}  // namespace sacrebleu::cases
