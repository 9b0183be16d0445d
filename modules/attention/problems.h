#pragma once
/// What an attention kernel cannot do of what a model asks for, from its traits. No torch here.

#include <string>
#include <vector>

#include "modules/attention/registry.h"

namespace attnlab::modules {

/// Why `variant` cannot compute the attentions of a model with these options, each reason a sentence that begins with a
/// key below `model`. Names and sizes that are impossible for every kernel are not looked at.
std::vector<std::string> problems(const AttentionVariant& variant, const TransformerOptions& model);

}  // namespace attnlab::modules
