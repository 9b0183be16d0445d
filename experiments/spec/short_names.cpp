#include "experiments/spec/short_names.h"

#include <algorithm>

namespace attnlab::spec {
namespace {

constexpr size_t kMostWords = 8;  // more than any path has

}  // namespace

std::string path_end(std::string path, size_t words) {
  if (path.ends_with(".type")) path.resize(path.size() - 5);
  size_t dot = path.rfind('.');
  while (--words > 0 && dot != std::string::npos && dot > 0) dot = path.rfind('.', dot - 1);
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

std::vector<std::string> short_names(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    size_t words = 1;
    const auto shared = [&](const std::string& other) {
      return other != path && path_end(other, words) == path_end(path, words);
    };
    while (words < kMostWords && std::any_of(paths.begin(), paths.end(), shared)) ++words;
    names.push_back(path_end(path, words));
  }
  return names;
}

}  // namespace attnlab::spec
