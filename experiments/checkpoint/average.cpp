#include "experiments/checkpoint/average.h"

#include <utility>

#include <fmt/format.h>

#include "support/error.h"

namespace attnlab::checkpoint {
namespace {

void require_match(const NamedTensors& first, const NamedTensors& other, const std::filesystem::path& path) {
  bool same = first.size() == other.size();
  for (size_t i = 0; same && i < first.size(); ++i) {
    same = first[i].first == other[i].first && first[i].second.sizes() == other[i].second.sizes();
  }
  if (!same) throw Error(fmt::format("cannot average '{}': it holds other tensors than the first file", path.string()));
}

NamedTensors load_owned(const std::filesystem::path& path, const std::optional<Identity>& owner) {
  TensorFile file = load_tensors(path);
  const std::optional<Identity> named = identity_in(file.metadata);
  if (owner && named) require_same(*named, *owner, path.string());
  return std::move(file.tensors);
}

}  // namespace

NamedTensors average_files(const std::vector<std::filesystem::path>& paths, const std::optional<Identity>& owner) {
  if (paths.empty()) throw Error("cannot average no checkpoints: at least one is needed");
  NamedTensors first = load_owned(paths.front(), owner);
  std::vector<torch::Tensor> sums;
  for (const auto& entry : first) sums.push_back(entry.second.to(at::kDouble));
  for (size_t k = 1; k < paths.size(); ++k) {
    const NamedTensors other = load_owned(paths[k], owner);
    require_match(first, other, paths[k]);
    for (size_t i = 0; i < sums.size(); ++i) sums[i].add_(other[i].second.to(at::kDouble));
  }
  const auto count = static_cast<double>(paths.size());
  for (size_t i = 0; i < sums.size(); ++i) first[i].second = sums[i].div_(count).to(first[i].second.scalar_type());
  return first;
}

}  // namespace attnlab::checkpoint
