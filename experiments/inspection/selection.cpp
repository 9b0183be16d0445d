#include "experiments/inspection/selection.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "support/error.h"

namespace attnlab::inspection {

namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> items;
  size_t start = 0;
  while (start <= list.size()) {
    const size_t end = std::min(list.find(',', start), list.size());
    items.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  return items;
}

std::vector<int64_t> parse_numbers(const std::string& option, const std::string& list, int64_t count) {
  std::vector<int64_t> numbers;
  if (list == "all") {
    numbers.resize(static_cast<size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }
  for (const std::string& item : split(list)) {
    int64_t number = -1;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), number);
    if (error != std::errc() || end != item.data() + item.size() || number < 0 || number >= count) {
      throw Error(
          fmt::format("{} {}: expected `all` or numbers from 0 to {}, separated by commas; '{}' is none of them",
                      option, list, count - 1, item));
    }
    if (std::find(numbers.begin(), numbers.end(), number) == numbers.end()) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<AttentionKind> parse_kinds(const std::string& list) {
  if (list == "all") return kAllKinds;
  const auto names = split(list);
  for (const std::string& name : names) {
    if (name != "encoder" && name != "decoder" && name != "cross") {
      throw Error(fmt::format("--kinds {}: '{}' is no kind of attention; there are encoder, decoder, cross, or all",
                              list, name));
    }
  }
  std::vector<AttentionKind> kinds;
  for (const AttentionKind kind : kAllKinds) {
    if (std::find(names.begin(), names.end(), to_string(kind)) != names.end()) kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace

int64_t layer_count(const modules::TransformerOptions& model, AttentionKind kind) {
  return kind == AttentionKind::encoder ? model.encoder_layers : model.decoder_layers;
}

Selection parse_selection(const std::string& kinds, const std::string& layers, const std::string& heads,
                          const modules::TransformerOptions& model) {
  Selection selection;
  selection.kinds = parse_kinds(kinds);
  int64_t deepest = 0;
  for (const AttentionKind kind : selection.kinds) deepest = std::max(deepest, layer_count(model, kind));
  selection.layers = parse_numbers("--layers", layers, deepest);
  selection.heads = parse_numbers("--heads", heads, model.heads);
  return selection;
}

std::vector<int64_t> layers_of(const Selection& selection, AttentionKind kind,
                               const modules::TransformerOptions& model) {
  const int64_t count = layer_count(model, kind);
  std::vector<int64_t> layers;
  for (int64_t layer = 0; layer < count; ++layer) {
    const bool chosen = selection.layers.empty() ||
                        std::find(selection.layers.begin(), selection.layers.end(), layer) != selection.layers.end();
    if (chosen) layers.push_back(layer);
  }
  return layers;
}

}  // namespace attnlab::inspection
