#include "modules/multi_head_attention.h"

#include <utility>
#include <vector>

#include "modules/attention/explicit_kernel.h"
#include "modules/attention/one_query.h"
#include "modules/norms/registry.h"
#include "modules/options_check.h"

namespace attnlab::modules {

namespace {

// Several projections of the same input as one matrix product, side by side.
torch::Tensor project(const torch::Tensor& x, const std::vector<torch::Tensor>& weights,
                      const std::vector<torch::Tensor>& biases) {
  const auto bias = biases.front().defined() ? torch::cat(biases) : torch::Tensor();
  return torch::linear(x, torch::cat(weights), bias);
}

// The same for steps of cached decoding.
Prepacked prepacked(const std::vector<torch::Tensor>& weights, const std::vector<torch::Tensor>& biases) {
  return Prepacked(torch::cat(weights), biases.front().defined() ? torch::cat(biases) : torch::Tensor());
}

torch::Tensor padded(const torch::Tensor& x, const TokenRows* rows) {
  return rows != nullptr ? rows->scatter(x) : x;
}

torch::Tensor without_padding(const torch::Tensor& x, const TokenRows* rows) {
  return rows != nullptr ? rows->gather(x) : x;
}

// LibTorch's fast path on the CPU takes no bias with a gradient, and its slow path is slower than our explicit kernel.
bool learns_bias_on_cpu(const MultiHeadAttentionOptions& options, const AttentionCall& call) {
  return options.kernel == "auto" && call.bias.defined() && call.bias.is_cpu() && call.bias.requires_grad();
}

const torch::Tensor& gates_of(const HeadGates& gates, AttentionKind kind) {
  switch (kind) {
    case AttentionKind::encoder:
      return gates.encoder;
    case AttentionKind::decoder:
      return gates.decoder;
    default:
      return gates.cross;
  }
}

}  // namespace

MultiHeadAttentionOptions::MultiHeadAttentionOptions(const TransformerOptions& model, AttentionKind kind_,
                                                     int64_t layer_)
    : d_model(model.d_model),
      heads(model.heads),
      d_k(model.key_width()),
      d_v(model.value_width()),
      bias(model.attention_bias),
      dropout(model.dropout.attention),
      initial_scale(placement_scales(model, kind_ == AttentionKind::encoder ? Stack::encoder : Stack::decoder).initial),
      kernel(model.attention),
      kind(kind_),
      layer(layer_) {}

MultiHeadAttentionImpl::MultiHeadAttentionImpl(const MultiHeadAttentionOptions& options) : options_(options) {
  const int64_t key_width = options.heads * options.d_k, value_width = options.heads * options.d_v,
                d_model = options.d_model;
  w_q = register_parameter("w_q", torch::zeros({key_width, d_model}));
  w_k = register_parameter("w_k", torch::zeros({key_width, d_model}));
  w_v = register_parameter("w_v", torch::zeros({value_width, d_model}));
  w_o = register_parameter("w_o", torch::zeros({d_model, value_width}));
  if (options.bias) {
    b_q = register_parameter("b_q", torch::zeros(key_width));
    b_k = register_parameter("b_k", torch::zeros(key_width));
    b_v = register_parameter("b_v", torch::zeros(value_width));
    b_o = register_parameter("b_o", torch::zeros(d_model));
  }
  const auto* variant = find_attention(options.kernel == "auto" ? "fused" : options.kernel);
  if (variant == nullptr) {
    throw unknown_attention(options.kernel);
  }
  traits_ = variant->traits;
  kernel = register_module("kernel", variant->make());
  fallback_ = make_explicit_kernel();
}

void MultiHeadAttentionImpl::reset_parameters(const Initializer& initializer) {
  initializer.xavier_uniform(w_q, "w_q");
  initializer.xavier_uniform(w_k, "w_k");
  initializer.xavier_uniform(w_v, "w_v", options_.initial_scale);
  initializer.xavier_uniform(w_o, "w_o", options_.initial_scale);
  const torch::NoGradGuard no_grad;
  for (auto& bias : {b_q, b_k, b_v, b_o}) {
    if (bias.defined()) {
      bias.detach().zero_();
    }
  }
}

torch::Tensor MultiHeadAttentionImpl::forward(const torch::Tensor& x, const Sequence& sequence, AttentionCache* cache,
                                              Context& context) {
  const AttentionCall call{sequence.visible, {}, options_.dropout, context.dropout};
  if (cache != nullptr) {
    if (!cache->projection.defined()) {
      cache->projection = prepacked({w_q, w_k, w_v}, {b_q, b_k, b_v});
      cache->output = Prepacked(w_o, b_o);
    }
    return cache->output.times(attend_to_itself(cache->projection.times(x), sequence, &cache->pool, call, context));
  }
  const auto projected = project(x, {w_q, w_k, w_v}, {b_q, b_k, b_v});
  const PackedHeads packed{projected, {}, options_.heads, options_.d_k, options_.d_v, sequence.rows, sequence.rows};
  const bool plain = sequence.positions == nullptr || !sequence.positions->acts_in_attention();
  if (plain && packs(packed, call, context)) {
    return torch::linear(packed_attention(packed, call), w_o, b_o);
  }
  const auto attended = attend_to_itself(padded(projected, sequence.rows), sequence, /*pool=*/nullptr, call, context);
  return torch::linear(without_padding(attended, sequence.rows), w_o, b_o);
}

torch::Tensor MultiHeadAttentionImpl::attend_to_itself(const torch::Tensor& projected, const Sequence& sequence,
                                                       KeyPool* pool, AttentionCall call, Context& context) {
  const auto parts = projected.split_with_sizes({w_q.size(0), w_k.size(0), w_v.size(0)}, -1);
  auto q = heads(parts[0], options_.d_k);  // [B, H, T, d_k]
  auto k = heads(parts[1], options_.d_k);  // [B, H, T, d_k]
  auto v = heads(parts[2], options_.d_v);  // [B, H, T, d_v]
  const PositionRange queries = sequence.range;
  Positions* positions = sequence.positions;
  if (positions != nullptr) {
    q = positions->rotate(q, queries);
    k = positions->rotate(k, queries);
  }
  const bool has_bias = positions != nullptr && positions->has_bias();
  const bool has_value_term = positions != nullptr && positions->has_value_term();
  PositionRange keys = queries;
  if (pool != nullptr) {
    pool->append(k, v);
    if (!has_bias && !has_value_term) {
      return attend_to_pool(q, *pool, call, context);
    }
    k = pool->keys_of_rows(options_.heads);
    v = pool->values_of_rows(options_.heads);
    keys = {0, k.size(2)};
  }
  if (has_bias) {
    call.bias = positions->bias(options_.layer, q, k, queries, keys);
  }
  auto attended = attend(q, k, v, call, has_value_term, context);
  if (has_value_term) {
    attended.output = attended.output + positions->value(options_.layer, attended.applied, queries, keys);
  }
  return join(attended.output, context);
}

torch::Tensor MultiHeadAttentionImpl::forward(const torch::Tensor& x, const torch::Tensor& memory,
                                              const Visible& visible, AttentionCache* cache, Context& context,
                                              const TokenRows* rows, const TokenRows* memory_rows) {
  const AttentionCall call{visible, {}, options_.dropout, context.dropout};
  if (cache != nullptr) {
    if (!cache->projection.defined()) {
      cache->projection = Prepacked(w_q, b_q);
      cache->output = Prepacked(w_o, b_o);
      const auto parts = project(memory, {w_k, w_v}, {b_k, b_v}).split_with_sizes({w_k.size(0), w_v.size(0)}, -1);
      cache->pool.keys = parts[0].flatten(0, 1);    // [B*S, H*d_k]
      cache->pool.values = parts[1].flatten(0, 1);  // [B*S, H*d_v]
    }
    const auto q = heads(cache->projection.times(x), options_.d_k);  // [R, H, T, d_k]
    return cache->output.times(attend_to_pool(q, cache->pool, call, context));
  }
  const auto queries = torch::linear(x, w_q, b_q);  // [B, T, H*d_k]
  const auto projected = project(memory, {w_k, w_v}, {b_k, b_v});
  const PackedHeads packed{queries, projected, options_.heads, options_.d_k, options_.d_v, rows, memory_rows};
  if (packs(packed, call, context)) {
    return torch::linear(packed_attention(packed, call), w_o, b_o);
  }
  const auto parts = padded(projected, memory_rows).split_with_sizes({w_k.size(0), w_v.size(0)}, -1);
  const auto k = heads(parts[0], options_.d_k);               // [B, H, S, d_k]
  const auto v = heads(parts[1], options_.d_v);               // [B, H, S, d_v]
  const auto q = heads(padded(queries, rows), options_.d_k);  // [B, H, T, d_k]
  const auto attended = join(attend(q, k, v, call, /*needs_weights=*/false, context).output, context);
  return torch::linear(without_padding(attended, rows), w_o, b_o);
}

torch::Tensor MultiHeadAttentionImpl::attend_to_pool(const torch::Tensor& q, const KeyPool& pool,
                                                     const AttentionCall& call, Context& context) {
  if (options_.kernel == "auto" && context.recorder == nullptr && is_one_query(q, pool, call)) {
    return join(attend_one_query(q, pool, call), context);
  }
  const auto k = pool.keys_of_rows(options_.heads), v = pool.values_of_rows(options_.heads);
  return join(attend(q, k, v, call, /*needs_weights=*/false, context).output, context);
}

Attended MultiHeadAttentionImpl::attend(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                                        AttentionCall call, bool needs_weights, Context& context) {
  needs_weights = needs_weights || context.recorder != nullptr;
  const bool able = (traits_.weights || !needs_weights) && (traits_.dropout || !call.drops()) &&
                    (traits_.bias || !call.bias.defined()) && !learns_bias_on_cpu(options_, call);
  auto attended = (able ? kernel : fallback_)->forward(q, k, v, call);
  if (context.recorder != nullptr) {
    context.recorder->record(options_.kind, options_.layer, attended.weights.detach());
  }
  return attended;
}

bool MultiHeadAttentionImpl::packs(const PackedHeads& packed, const AttentionCall& call, const Context& context) const {
  const bool gated = context.gates != nullptr && gates_of(*context.gates, options_.kind).defined();
  return options_.kernel == "auto" && context.recorder == nullptr && !gated && can_pack(packed, call);
}

torch::Tensor MultiHeadAttentionImpl::heads(const torch::Tensor& x, int64_t width) const {
  return x.view({x.size(0), x.size(1), options_.heads, width}).transpose(1, 2);  // [B, H, T, width]
}

torch::Tensor MultiHeadAttentionImpl::join(torch::Tensor output, const Context& context) const {
  if (context.gates != nullptr && gates_of(*context.gates, options_.kind).defined()) {
    output = output *
             gates_of(*context.gates, options_.kind)[options_.layer].view({1, options_.heads, 1, 1}).to(output.dtype());
  }
  return output.transpose(1, 2).reshape({output.size(0), output.size(2), options_.heads * options_.d_v});
}

}  // namespace attnlab::modules
