#pragma once
/// Which options are possible. No torch here: a spec is checked before any model is built.

#include <string>
#include <vector>

#include "modules/options.h"
#include "support/error.h"

namespace attnlab::modules {

/// Every reason why there is no such model, each a sentence that begins with the key below `model` (such as
/// `norm.placement`), says what was expected and what came, and what to change. Empty: the model exists. Vocabulary
/// sizes are not looked at.
std::vector<std::string> problems(const TransformerOptions& options);

/// Throws attnlab::Error with all problems, those of the vocabulary sizes among them.
void require_possible(const TransformerOptions& options);

/// The error for a name that the registry of kernels, position methods, norms or placements does not know. It lists the
/// known names and the nearest one.
Error unknown_attention(const std::string& name);
Error unknown_positions(const std::string& name);
Error unknown_norm(const std::string& name);
Error unknown_placement(const std::string& name);
Error unknown_activation(const std::string& name);

}  // namespace attnlab::modules
