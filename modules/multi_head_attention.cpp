#include "modules/multi_head_attention.h"

#include <utility>
#include <vector>

#include "modules/attention/explicit_kernel.h"
#include "modules/attention/one_query.h"
#include "modules/attention/route.h"
#include "modules/linear.h"
#include "modules/options_check.h"

namespace attnlab::modules {

namespace {

// Several projections of the same input as one matrix product, side by side.
torch::Tensor project(const torch::Tensor& x, const std::vector<torch::Tensor>& weights,
                      const std::vector<torch::Tensor>& biases) {
  const auto bias = biases.front().defined() ? torch::cat(biases) : torch::Tensor();
  return modules::linear(x, torch::cat(weights), bias);
}

torch::Tensor without_padding(const torch::Tensor& x, const TokenRows* rows) {
  return rows != nullptr ? rows->gather(x) : x;
}

const AttentionVariant& variant_of(const MultiHeadAttentionOptions& options) {
  const auto* variant = options.variant != nullptr ? options.variant : find_attention(options.kernel);
  if (variant == nullptr) {
    throw unknown_attention(options.kernel);
  }
  return *variant;
}

}  // namespace

MultiHeadAttentionImpl::MultiHeadAttentionImpl(const MultiHeadAttentionOptions& options)
    : options_(options), traits_(variant_of(options).traits) {
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
  kernel = register_module("kernel", variant_of(options).make(options));
}

void MultiHeadAttentionImpl::reset_parameters(const Initializer& initializer) {
  initializer.xavier_uniform(w_q, "w_q");
  initializer.xavier_uniform(w_k, "w_k");
  initializer.xavier_uniform(w_v, "w_v", options_.initial_scale);
  initializer.xavier_uniform(w_o, "w_o", options_.initial_scale);
  kernel->reset_parameters(initializer.at("kernel"));
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
    const auto projected = packed(cache->weights->projection.times(x));
    return cache->weights->output.times(attend_to_itself(projected, sequence, &cache->pool, call, context));
  }
  const auto projected = packed(project(x, {w_q, w_k, w_v}, {b_q, b_k, b_v}), {}, sequence.rows, sequence.rows);
  return modules::linear(attend_to_itself(projected, sequence, /*pool=*/nullptr, call, context), w_o, b_o);
}

torch::Tensor MultiHeadAttentionImpl::attend_to_itself(const PackedHeads& projected, const Sequence& sequence,
                                                       KeyPool* pool, AttentionCall call, Context& context) {
  static const PositionTraits none;
  const auto& acts = sequence.positions != nullptr ? sequence.positions->traits() : none;
  const bool apart = acts.acts_in_attention() || gates(context).defined();
  if (pool == nullptr && takes_packed(traits_, projected, call, apart)) {
    return attend_packed(projected, call, context);
  }
  auto heads = unpacked(projected);
  const PositionRange queries = sequence.range;
  PositionRange keys = queries;
  if (acts.rotates) {
    heads.q = sequence.positions->positions().rotate(heads.q, queries);
    heads.k = sequence.positions->positions().rotate(heads.k, queries);
  }
  if (pool != nullptr) {
    pool->append(heads.k, heads.v);
    if (!acts.bias && !acts.value_term) {
      return attend_to_pool(heads.q, *pool, call, context);
    }
    heads.k = pool->keys_of_rows(options_.heads);
    heads.v = pool->values_of_rows(options_.heads);
    keys = {0, heads.k.size(2)};
  }
  if (acts.bias) {
    call.bias = sequence.positions->positions().bias(options_.layer, heads.q, heads.k, queries, keys);
  }
  call.weights = acts.value_term;
  auto attended = attend(heads, call, context);
  if (acts.value_term) {
    attended.output =
        attended.output + sequence.positions->positions().value(options_.layer, attended.applied, queries, keys);
  }
  return without_padding(concatenated(attended.output, context), sequence.rows);
}

torch::Tensor MultiHeadAttentionImpl::forward(const torch::Tensor& x, const torch::Tensor& memory,
                                              const Visible& visible, AttentionCache* cache, Context& context,
                                              const TokenRows* rows, const TokenRows* memory_rows) {
  const AttentionCall call{visible, {}, options_.dropout, context.dropout};
  if (cache != nullptr) {
    if (!cache->pool.keys.defined()) {
      const auto parts = project(memory, {w_k, w_v}, {b_k, b_v}).split_with_sizes({w_k.size(0), w_v.size(0)}, -1);
      cache->pool.keys = parts[0].flatten(0, 1);    // [B*S, H*d_k]
      cache->pool.values = parts[1].flatten(0, 1);  // [B*S, H*d_v]
    }
    const auto q = one_by_one(cache->weights->projection.times(x), options_.heads);  // [R, H, T, d_k]
    return cache->weights->output.times(attend_to_pool(q, cache->pool, call, context));
  }
  const auto queries = modules::linear(x, w_q, b_q);  // [B, T, H*d_k]
  const auto projected = packed(queries, project(memory, {w_k, w_v}, {b_k, b_v}), rows, memory_rows);
  if (takes_packed(traits_, projected, call, /*apart=*/gates(context).defined())) {
    return modules::linear(attend_packed(projected, call, context), w_o, b_o);
  }
  const auto attended = concatenated(attend(unpacked(projected), call, context).output, context);
  return modules::linear(without_padding(attended, rows), w_o, b_o);
}

ArrangedAttention MultiHeadAttentionImpl::arranged() const {
  if (options_.kind == AttentionKind::cross) {
    return {ArrangedLinear(w_q, b_q), ArrangedLinear(w_o, b_o)};
  }
  const auto biases = b_q.defined() ? torch::cat({b_q, b_k, b_v}) : torch::Tensor();
  return {ArrangedLinear(torch::cat({w_q, w_k, w_v}), biases), ArrangedLinear(w_o, b_o)};
}

PackedHeads MultiHeadAttentionImpl::packed(const torch::Tensor& queries, const torch::Tensor& memory,
                                           const TokenRows* rows, const TokenRows* memory_rows) const {
  return {queries, memory, options_.heads, options_.d_k, options_.d_v, rows, memory_rows};
}

torch::Tensor MultiHeadAttentionImpl::attend_packed(const PackedHeads& projected, const AttentionCall& call,
                                                    Context& context) {
  if (context.recorder != nullptr) {
    const auto heads = unpacked(projected);
    record(heads.q, heads.k, call, context);
  }
  return packed_attention(projected, call);
}

torch::Tensor MultiHeadAttentionImpl::attend_to_pool(const torch::Tensor& q, const KeyPool& pool,
                                                     const AttentionCall& call, Context& context) {
  if (takes_one_query(traits_, q, pool, call)) {
    if (context.recorder != nullptr) {
      record(q, pool.keys_of_rows(options_.heads), call, context);
    }
    return concatenated(attend_one_query(q, pool, call), context);
  }
  const Heads heads{q, pool.keys_of_rows(options_.heads), pool.values_of_rows(options_.heads)};
  return concatenated(attend(heads, call, context).output, context);
}

Attended MultiHeadAttentionImpl::attend(const Heads& heads, const AttentionCall& call, Context& context) {
  TORCH_CHECK((traits_.dropout || !call.drops()) && (traits_.bias || !call.bias.defined()) &&
                  (traits_.weights || !call.weights),
              "attention \"", options_.kernel, "\" is asked for what it cannot do");
  auto attended = kernel->forward(heads.q, heads.k, heads.v, call);
  if (attended.weights.defined() && context.recorder != nullptr) {
    context.recorder->record(options_.kind, options_.layer, attended.weights.detach());
  } else {
    record(heads.q, heads.k, call, context);
  }
  return attended;
}

void MultiHeadAttentionImpl::record(const torch::Tensor& q, const torch::Tensor& k, AttentionCall call,
                                    Context& context) {
  if (context.recorder == nullptr || !traits_.exact) {
    return;
  }
  const torch::NoGradGuard no_grad;
  call.stream = nullptr;  // before dropout, and the stream stays where it is
  context.recorder->record(options_.kind, options_.layer, explicit_weights(q, k, call).weights);
}

torch::Tensor MultiHeadAttentionImpl::gates(const Context& context) const {
  const auto all = context.gates != nullptr ? context.gates->of(options_.kind) : torch::Tensor();
  return all.defined() ? all[options_.layer] : all;
}

torch::Tensor MultiHeadAttentionImpl::concatenated(torch::Tensor output, const Context& context) const {
  if (const auto gate = gates(context); gate.defined()) {
    output = output * gate.view({1, options_.heads, 1, 1}).to(output.dtype());
  }
  return output.transpose(1, 2).reshape({output.size(0), output.size(2), options_.heads * options_.d_v});
}

}  // namespace attnlab::modules
