#pragma once
/// A Transformer as a StepModel: encoder once, decoder with a key/value cache.

#include <cstdint>
#include <vector>

#include "experiments/decoding/hypothesis.h"
#include "experiments/decoding/step_model.h"
#include "modules/prepacked.h"
#include "modules/torch.h"
#include "modules/transformer.h"

namespace attnlab::decoding {

/// Right-padded ids [B, L] and their lengths [B], int64, on a device.
struct Padded {
  torch::Tensor ids, lengths;
};
Padded pad_ids(const std::vector<const Ids*>& rows, torch::Device device);

/// The device of the model's parameters.
torch::Device device_of(const modules::Transformer& model);

/// One batch being decoded. Nothing is dropped and no gradient is kept; the model itself is not changed.
///
/// The batch that the decoder sees is made of slots, each bound to a sentence. A row that leaves first only empties its
/// slot, which costs less than moving the source's keys and values of all others; when a quarter of the slots is empty,
/// the batch is packed.
class TransformerSteps : public StepModel {
 public:
  /// `gates` (null: none) must outlive the object.
  TransformerSteps(modules::Transformer model, const std::vector<const Ids*>& sources,
                   const modules::HeadGates* gates = nullptr);
  torch::Tensor next(const std::vector<int64_t>& tokens) override;
  void select(const std::vector<int64_t>& rows) override;

 private:
  /// Slots for rows whose predecessors stand in the slots `parents`, each among those of its sentence; empty if they do
  /// not fit or leave too many slots empty.
  std::vector<int64_t> places(const std::vector<int64_t>& parents) const;
  void move_within_sentences(const std::vector<int64_t>& parents, std::vector<int64_t> slots);
  void pack(const std::vector<int64_t>& parents);
  torch::Tensor on_device(const std::vector<int64_t>& values) const;

  modules::Transformer model_;
  torch::Device device_;
  modules::Context context_;
  modules::Memory memory_;
  modules::DecoderCache cache_;
  modules::Prepacked output_;  // made at the first step
  std::vector<int64_t> sentence_of_slot_;
  std::vector<int64_t> slot_of_row_;  // rising
};

}  // namespace attnlab::decoding
