#pragma once
/// A Transformer as a StepModel: encoder once, decoder with a key/value cache.

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/decoding/hypothesis.h"
#include "experiments/decoding/step_model.h"
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
class TransformerSteps : public StepModel {
 public:
  /// `weights` are the model's, arranged, and may be shared by many batches; they and `gates` (null: none) must outlive
  /// the object.
  TransformerSteps(modules::Transformer model, const modules::ArrangedDecoder& weights,
                   const std::vector<const Ids*>& sources, const modules::HeadGates* gates = nullptr);
  torch::Tensor next(const std::vector<int64_t>& tokens) override;
  TopK best(const std::vector<int64_t>& tokens, int64_t k, std::span<const int32_t> banned = {}) override;
  void select(const std::vector<int64_t>& rows) override;

 private:
  torch::Tensor next_states(const std::vector<int64_t>& tokens);
  torch::Tensor on_device(const std::vector<int64_t>& values) const;

  modules::Transformer model_;
  torch::Device device_;
  modules::Context context_;
  modules::Memory memory_;
  const modules::ArrangedDecoder& weights_;
  modules::DecoderCache cache_;
};

}  // namespace attnlab::decoding
