#pragma once
/// Numbers for a person, and numbers in JSON, that may be huge or infinite: losses and perplexities of runs that went
/// wrong.

#include <optional>
#include <string>

#include "support/json.h"

namespace attnlab {

/// `value` with so many decimals; from a million on in powers of ten, "6.45e+33". What no double holds is "inf".
std::string number_text(double value, int decimals);

/// A number for JSON, which knows no infinity: that is the text "inf" (or "-inf"), and what is no number is null.
Json json_number(double value);

/// A number for JSON in which only what is finite counts: null for everything else, and for none.
Json finite_or_null(std::optional<double> value);

/// The number that `json_number` wrote; NaN for null. Throws Json::exception for anything else.
double number_from_json(const Json& value);

}  // namespace attnlab
