#include "experiments/data/prepared_batches.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include <fmt/format.h>

#include "experiments/data/npz.h"
#include "support/error.h"

namespace attnlab::data {
namespace {

/// The arrays of the file, each checked when it is taken.
class Arrays {
 public:
  explicit Arrays(const std::filesystem::path& path) : path_(path.string()), arrays_(read_npz(path)) {}

  const std::vector<int64_t>& array(const std::string& name) const {
    const auto found = arrays_.find(name);
    if (found == arrays_.end()) refuse(name, "is missing");
    return found->second;
  }

  int32_t id(const std::string& name) const {
    if (array(name).size() != 1) refuse(name, "must be one number");
    return checked_id(name, array(name)[0]);
  }

  int32_t checked_id(const std::string& name, int64_t id) const {
    if (id < 0 || id >= std::numeric_limits<int32_t>::max()) refuse(name, fmt::format("holds {}, which is no id", id));
    return static_cast<int32_t>(id);
  }

  /// The array `name` in pieces, as `name_off` cuts it.
  std::vector<std::vector<int64_t>> rows(const std::string& name) const {
    const std::vector<int64_t>&values = array(name), &offsets = array(name + "_off");
    const bool fits = !offsets.empty() && offsets.front() == 0 &&
                      offsets.back() == static_cast<int64_t>(values.size()) &&
                      std::is_sorted(offsets.begin(), offsets.end());
    if (!fits) refuse(name + "_off", fmt::format("must rise from 0 to the size of {}, {}", name, values.size()));
    std::vector<std::vector<int64_t>> rows;
    rows.reserve(offsets.size() - 1);
    for (size_t i = 0; i + 1 < offsets.size(); ++i)
      rows.emplace_back(values.begin() + offsets[i], values.begin() + offsets[i + 1]);
    return rows;
  }

  std::vector<Ids> sentences(const std::string& name) const {
    std::vector<Ids> result;
    for (const std::vector<int64_t>& row : rows(name)) {
      Ids& ids = result.emplace_back();
      ids.reserve(row.size());
      for (const int64_t id : row) ids.push_back(checked_id(name, id));
    }
    return result;
  }

  [[noreturn]] void refuse(const std::string& name, const std::string& why) const {
    throw Error(fmt::format("'{}': array {} {}", path_, name, why));
  }

 private:
  std::string path_;
  std::map<std::string, std::vector<int64_t>> arrays_;
};

void check_ends(const Arrays& arrays, const std::vector<Ids>& sources, const std::vector<Ids>& targets, int32_t bos,
                int32_t eos) {
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].empty() || sources[i].back() != eos)
      arrays.refuse("src", fmt::format("has no eos at the end of sentence {}", i));
    if (targets[i].size() < 2 || targets[i].front() != bos || targets[i].back() != eos)
      arrays.refuse("trg", fmt::format("does not begin with bos and end with eos in sentence {}", i));
  }
}

void check_rows(const Arrays& arrays, const BatchRows& batches, size_t pairs) {
  for (const auto& batch : batches) {
    if (batch.empty()) arrays.refuse("batch_off", "has an empty batch");
    for (const int64_t row : batch)
      if (row < 0 || row >= static_cast<int64_t>(pairs))
        arrays.refuse("batch", fmt::format("names row {}, there are {} pairs", row, pairs));
  }
}

}  // namespace

PreparedBatches read_prepared_batches(const std::filesystem::path& path) {
  const Arrays arrays(path);
  PreparedBatches prepared;
  prepared.pad = arrays.id("pad");
  prepared.bos = arrays.id("bos");
  prepared.eos = arrays.id("eos");
  prepared.unk = arrays.id("unk");
  std::vector<Ids> sources = arrays.sentences("src"), targets = arrays.sentences("trg");
  if (sources.size() != targets.size())
    arrays.refuse("trg_off", fmt::format("has {} sentences, src_off has {}", targets.size(), sources.size()));
  check_ends(arrays, sources, targets, prepared.bos, prepared.eos);
  prepared.batches = arrays.rows("batch");
  check_rows(arrays, prepared.batches, sources.size());
  prepared.vocab_size = std::max({prepared.pad, prepared.bos, prepared.eos, prepared.unk}) + int64_t{1};
  for (size_t i = 0; i < sources.size(); ++i) {
    targets[i].erase(targets[i].begin());
    for (const Ids* ids : {&sources[i], &targets[i]})
      prepared.vocab_size =
          std::max<int64_t>(prepared.vocab_size, *std::max_element(ids->begin(), ids->end()) + int64_t{1});
    prepared.pairs.push_back({std::move(sources[i]), std::move(targets[i])});
  }
  return prepared;
}

}  // namespace attnlab::data
