#pragma once
/// The whole model of Figure 1: embeddings, encoder, decoder and the output projection.

#include <cstdint>
#include <vector>

#include "modules/context.h"
#include "modules/decoder.h"
#include "modules/encoder.h"
#include "modules/options.h"
#include "modules/torch.h"

namespace attnlab::modules {

/// What the encoder hands to the decoder.
struct Memory {
  torch::Tensor states;   ///< [B, S, D]
  torch::Tensor lengths;  ///< [B] int64: how many of the S positions are no padding
};

/// How many tokens of a batch come before those of one of its parts.
struct FirstTokens {
  int64_t source = 0, target = 0;
};

/// The Transformer (Vaswani et al. 2017). Padding is always on the right and described by lengths; the value of padded
/// ids does not matter. Ids are int64 tensors on the model's device.
class TransformerImpl : public torch::nn::Module {
 public:
  /// `options.source_vocab` and `target_vocab` must be set. Throws attnlab::Error for impossible options. Matrices are
  /// 0 until `reset_parameters` or until a checkpoint is loaded.
  explicit TransformerImpl(TransformerOptions options);

  /// Draws all parameters from `seed`: Xavier uniform for each of W_Q, W_K, W_V, W_O and the feed-forward matrices on
  /// its own (W_V, W_O and the feed-forward ones times `norm.initial_scale`), embeddings N(0, 1/D), biases 0, norms as
  /// `Norm::reset_parameters` says. The same values on every device and thread count.
  void reset_parameters(uint64_t seed);

  /// `source` [B, S], `source_lengths` [B] -> memory. Lengths may stay on the CPU when the model is elsewhere: then
  /// batches without padding are seen to have none, and the device need not be waited for.
  Memory encode(const torch::Tensor& source, const torch::Tensor& source_lengths, Context& context);

  /// `target` [B, T]: the decoder's input, begins with bos; `target_lengths` [B] -> states [B, T, D] whose row t has
  /// seen target 0..t.
  torch::Tensor decode(const torch::Tensor& target, const torch::Tensor& target_lengths, const Memory& memory,
                       Context& context);

  /// The states of all target tokens for teacher forcing, padding left out: [N, D] in the order of the rows of
  /// `target` [B, T]. The same values as `decode(target, encode(source))` has there, without any work on padding; masks
  /// of dropout are others. With a `first`, the sentences are a part of a batch and drop what they would drop in it.
  torch::Tensor target_states(const torch::Tensor& source, const torch::Tensor& source_lengths,
                              const torch::Tensor& target, const torch::Tensor& target_lengths, Context& context,
                              FirstTokens first = {});

  /// The decoder's matrices for `decode_next`, arranged where gradients are off (`ArrangedLinear`). They are what the
  /// parameters are now.
  ArrangedDecoder arranged_decoder() const;

  /// One step of cached decoding: `tokens` [R] are the next input of each of the cache's rows -> states [R, D]. Equals
  /// `decode` on the whole prefix. `memory` is the same at every step, whichever rows the cache has kept; the cache was
  /// made for this model's `arranged_decoder`.
  torch::Tensor decode_next(const torch::Tensor& tokens, const Memory& memory, DecoderCache& cache, Context& context);

  /// `states` [..., D] -> logits [..., V of the target].
  torch::Tensor logits(const torch::Tensor& states);

  /// The matrix [V of the target, D] of that projection, for a loss that takes it in pieces.
  const torch::Tensor& output_matrix() const { return output.defined() ? output : target_table(); }

  /// logits(decode(target, encode(source))): [B, T, V].
  torch::Tensor forward(const torch::Tensor& source, const torch::Tensor& source_lengths, const torch::Tensor& target,
                        const torch::Tensor& target_lengths, Context& context);

  const TransformerOptions& options() const { return options_; }

 private:
  // `rows` null: states [B, S, D], else [N, D]; likewise below.
  torch::Tensor run_encoder(const torch::Tensor& source, const torch::Tensor& lengths, const TokenRows* rows,
                            Context& context);
  torch::Tensor run_decoder(const torch::Tensor& target, const torch::Tensor& lengths, const Memory& memory,
                            const TokenRows* rows, const TokenRows* memory_rows, Context& context);
  torch::Tensor embed(const torch::Tensor& table, PositionalEncoding& positions, const torch::Tensor& ids,
                      const Sequence& sequence, Context& context);
  const torch::Tensor& target_table() const { return target_embedding.defined() ? target_embedding : source_embedding; }

  TransformerOptions options_;
  torch::Tensor source_embedding;  // [V of the source, D]
  torch::Tensor target_embedding;  // [V of the target, D]; undefined when the source's serves for both (three_way)
  torch::Tensor
      output;  // [V of the target, D]; undefined when the target's embedding serves for it (three_way, two_way)
  PositionalEncoding encoder_positions{nullptr}, decoder_positions{nullptr};
  Encoder encoder{nullptr};
  Decoder decoder{nullptr};
};
TORCH_MODULE(Transformer);

/// The number of trainable parameters of a model with these options, by arithmetic, without building it.
int64_t parameter_count(const TransformerOptions& options);
/// The same with another attention kernel than the one that the options name.
int64_t parameter_count(const TransformerOptions& options, const AttentionVariant& attention);

}  // namespace attnlab::modules
