#pragma once
/// Ids and batches that another program prepared, so that two programs can be timed on the same work.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "experiments/data/batches.h"

namespace attnlab::data {

struct PreparedBatches {
  std::vector<EncodedPair> pairs;
  BatchRows batches;
  int32_t pad = 0, bos = 0, eos = 0, unk = 0;
  int64_t vocab_size = 0;  ///< the largest id there is, plus 1
};

/// From an .npz file with these arrays (N pairs, all integers):
///   src, src_off    source ids one after the other, each sentence with eos; offsets [N + 1]
///   trg, trg_off    target ids likewise, each with bos and eos
///   batch, batch_off  rows of the batches one after the other; offsets
///   pad, bos, eos, unk  the special ids
/// Throws attnlab::Error that names the file and the array: one is missing, offsets that do not fit, a row or an id out
/// of range, a sentence without its bos or eos.
PreparedBatches read_prepared_batches(const std::filesystem::path& path);

}  // namespace attnlab::data
