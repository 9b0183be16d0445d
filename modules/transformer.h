#pragma once
/// The whole model of Figure 1: embeddings, encoder, decoder and the output projection.

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "modules/context.h"
#include "modules/decoder.h"
#include "modules/encoder.h"
#include "modules/options.h"

namespace attnlab::modules {

/// What the encoder hands to the decoder.
struct Memory {
  torch::Tensor states;   ///< [B, S, D]
  torch::Tensor lengths;  ///< [B] int64: how many of the S positions are no padding

  /// The memory of the rows named by `rows` [R] int64, in that order (repeats allowed: beams).
  Memory select(const torch::Tensor& rows) const;
};

/// The Transformer (Vaswani et al. 2017). Padding is always on the right and described by lengths; the value of padded ids does not
/// matter. Ids are int64 tensors on the model's device.
class TransformerImpl : public torch::nn::Module {
 public:
  /// `options.source_vocab` and `target_vocab` must be set. Throws attnlab::Error for impossible options.
  explicit TransformerImpl(TransformerOptions options);

  /// Draws all parameters from `seed`: Xavier uniform for each of W_Q, W_K, W_V, W_O and the feed-forward matrices on its own,
  /// embeddings N(0, 1/D), biases 0, norm gains 1. The same values on every device and thread count.
  void reset_parameters(uint64_t seed);

  /// `source` [B, S], `source_lengths` [B] -> memory.
  Memory encode(const torch::Tensor& source, const torch::Tensor& source_lengths, Context& context);

  /// `target` [B, T]: the decoder's input, begins with bos; `target_lengths` [B] -> states [B, T, D] whose row t has seen target 0..t.
  torch::Tensor decode(const torch::Tensor& target, const torch::Tensor& target_lengths, const Memory& memory, Context& context);

  /// One step of cached decoding: `tokens` [B] are the next input of each row -> states [B, D]. Equals `decode` on the whole prefix.
  torch::Tensor decode_next(const torch::Tensor& tokens, const Memory& memory, DecoderCache& cache, Context& context);

  /// `states` [..., D] -> logits [..., V of the target].
  torch::Tensor logits(const torch::Tensor& states);

  /// logits(decode(target, encode(source))): [B, T, V].
  torch::Tensor forward(const torch::Tensor& source, const torch::Tensor& source_lengths, const torch::Tensor& target,
                        const torch::Tensor& target_lengths, Context& context);

  const TransformerOptions& options() const { return options_; }

 private:
  torch::Tensor embed(torch::nn::Embedding& table, PositionalEncoding& positions, const torch::Tensor& ids, int64_t first, Context& context);

  TransformerOptions options_;
  torch::nn::Embedding source_embedding{nullptr}, target_embedding{nullptr};  // the same object when tied three ways
  torch::nn::Linear output{nullptr};                                          // shares its weight with target_embedding when tied
  PositionalEncoding encoder_positions{nullptr}, decoder_positions{nullptr};
  Encoder encoder{nullptr};
  Decoder decoder{nullptr};
};
TORCH_MODULE(Transformer);

/// The number of trainable parameters of a model with these options, by arithmetic, without building it.
int64_t parameter_count(const TransformerOptions& options);

}  // namespace attnlab::modules
