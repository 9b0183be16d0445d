#pragma once
/// What shapes a Transformer, as plain numbers and names. No torch here, so that specs can be read and checked without
/// it. The defaults are the base model of the paper (Vaswani et al. 2017, section 3 and Table 3). Names of variants are
/// keys of the registries in `norms/registry.h`, `positions/registry.h` and `attention/registry.h`.

#include <cstdint>
#include <string>

namespace attnlab::modules {

/// Which of the two stacks of Figure 1 something belongs to.
enum class Stack { encoder, decoder };

/// Which of the three attentions of the paper (section 3.2.3): encoder self-attention, masked decoder self-attention,
/// attention of the decoder to the encoder's output.
enum class AttentionKind { encoder, decoder, cross };

/// How a sub-layer, its residual and its norm are put together.
struct NormOptions {
  std::string type = "layer_norm";  ///< which norm: a name of `norms/registry.h`
  std::string placement = "post";   ///< how norm and residual are put together: a name of `norms/registry.h`
  double epsilon = 1e-5;            ///< added to the variance (torch's default)
  double residual_scale = 0;  ///< what x is multiplied by where a sub-layer's output is added to it (DeepNorm's alpha);
                              ///< 0 = the placement's own: its formula for DeepNorm, 1 for all others
  double initial_scale = 0;   ///< what the start of FFN, W_V and W_O is multiplied by (DeepNorm's beta); 0 = as above
};

/// How the positions of one stack enter the model.
struct PositionOptions {
  std::string type = "sinusoidal";     ///< a name of `positions/registry.h`
  int64_t max_length = 512;            ///< rows of a learned table; other methods know no limit
  std::string beyond = "error";        ///< what a learned table does past its end: `error`, `clamp` or `interpolate`
  std::string layout = "interleaved";  ///< where sines and cosines (or a rotation's two halves) stand in a row
  double base = 10000;                 ///< of the wavelengths of sinusoids and rotations
  int64_t sinusoidal_width = 0;        ///< hybrid: the first so many of D elements are sinusoids; 0 = D / 2, made even
  int64_t max_distance = 0;            ///< relative methods: larger distances count as this one; 0 = the method's own
  int64_t buckets = 32;                ///< T5: distances share so many learned numbers
};

/// Probabilities of dropping an element, in [0, 1). The paper drops embeddings and sub-layer outputs only
/// (section 5.4).
struct DropoutOptions {
  double embedding = 0.1;   ///< the sum of embedding and position
  double attention = 0.0;   ///< attention weights, after the softmax
  double activation = 0.0;  ///< inside the feed-forward network, after the activation
  double residual = 0.1;    ///< each sub-layer's output, before it is added
};

/// A whole encoder-decoder.
struct TransformerOptions {
  int64_t d_model = 512;            ///< D, the width of the residual stream
  int64_t heads = 8;                ///< H
  int64_t d_k = 0;                  ///< width of queries and keys of one head; 0 = D / H
  int64_t d_v = 0;                  ///< width of values of one head; 0 = D / H
  int64_t d_ff = 2048;              ///< inner width of the feed-forward network
  int64_t encoder_layers = 6;       ///< N of the encoder
  int64_t decoder_layers = 6;       ///< N of the decoder
  std::string activation = "relu";  ///< `relu` (the paper) or `gelu`
  bool attention_bias = false;      ///< biases in W_Q, W_K, W_V and W_O (the paper has none)
  std::string tying =
      "three_way";  ///< `three_way` (source, target and output share one matrix), `two_way` (target and output), `none`
  bool scale_embeddings = true;  ///< multiply embeddings by sqrt(D) (section 3.4)
  std::string attention =
      "auto";        ///< kernel: a name of `attention/registry.h`, or `auto` = the fastest that can do what is asked
  NormOptions norm;  ///< norm and placement of every sub-layer
  PositionOptions encoder_positions;  ///< positions of the encoder
  PositionOptions decoder_positions;  ///< positions of the decoder
  DropoutOptions dropout;             ///< the four dropout rates

  int64_t source_vocab = 0;  ///< V of the source, from the tokenizer (not a key of the spec)
  int64_t target_vocab = 0;  ///< V of the target, from the tokenizer (not a key of the spec)

  int64_t key_width() const { return d_k > 0 ? d_k : d_model / heads; }    ///< d_k with its default filled in
  int64_t value_width() const { return d_v > 0 ? d_v : d_model / heads; }  ///< d_v with its default filled in
};

}  // namespace attnlab::modules
