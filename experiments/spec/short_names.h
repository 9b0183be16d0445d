#pragma once
/// Dotted paths shortened from the front.

#include <cstddef>
#include <string>
#include <vector>

namespace attnlab::spec {

/// The last `words` (at least 1) words of a path, or all of it; a closing "type" says nothing and is left out first:
/// "norm" for one word of "model.norm.type".
std::string path_end(std::string path, size_t words);

/// The shortest ends of dotted paths that still differ, each as short as it can be: "heads", "positions",
/// "norm.epsilon".
std::vector<std::string> short_names(const std::vector<std::string>& paths);

}  // namespace attnlab::spec
