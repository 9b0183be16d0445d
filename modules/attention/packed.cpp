#include "modules/attention/packed.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>

#include "modules/cpu/attention.h"
#include "modules/dropout_drawing.h"

namespace attnlab::modules {

namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// The rows of every head in a pair of tensors like `PackedHeads`: the projections, or their gradients.
template <class Number>
struct Places {
  Places(Number* queries, Number* memory, const cpu::AttentionShape& shape, int64_t heads_) : heads(heads_) {
    const int64_t key_width = heads * shape.d_k, value_width = heads * shape.d_v;
    q = {queries, memory == nullptr ? 2 * key_width + value_width : key_width};
    k = memory == nullptr ? cpu::HeadRows<Number>{queries + key_width, q.stride}
                          : cpu::HeadRows<Number>{memory, key_width + value_width};
    v = {k.data + key_width, k.stride};
  }
  static cpu::HeadRows<Number> head(cpu::HeadRows<Number> all, int64_t first_row, int64_t column) {
    return {all.row(first_row) + column, all.stride};
  }

  int64_t heads;
  cpu::HeadRows<Number> q, k, v;
};

// One call, as the loops take it.
struct Call {
  Call(const PackedHeads& packed, const Tensor& counts_, bool causal, const Drawing& drawing)
      : batch(packed.queries.size(0)), heads(packed.heads), counts(counts_) {
    if (drawing.rate > 0) {
      mask = mask_of(drawing);
    }
    shape.queries = packed.queries.size(1);
    shape.keys = packed.self() ? shape.queries : packed.memory.size(1);
    shape.d_k = packed.d_k;
    shape.d_v = packed.d_v;
    shape.causal = causal;
    shape.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(packed.d_k)));
    shape.mask = mask ? &*mask : nullptr;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  cpu::AttentionHead head(int64_t index, const Places<const float>& from) const {
    const int64_t b = index / heads, h = index % heads;
    const int64_t seen = counts.defined() ? counts.const_data_ptr<int64_t>()[b] : shape.keys;
    return {index, seen, from.head(from.q, b * shape.queries, h * shape.d_k),
            from.head(from.k, b * shape.keys, h * shape.d_k), from.head(from.v, b * shape.keys, h * shape.d_v)};
  }
  int64_t weights_of_head() const { return shape.queries * cpu::padded_keys(shape.keys); }

  // body(index of the head, scratch memory), on all threads.
  template <class Body>
  void for_heads(const Body& body) const {
    const int64_t work = weights_of_head() * (shape.d_k + shape.d_v);
    at::parallel_for(0, batch * heads, std::max<int64_t>(1, 200'000 / std::max<int64_t>(1, work)),
                     [&](int64_t begin, int64_t end) {
                       std::vector<float> scratch(static_cast<size_t>(shape.scratch()));
                       for (int64_t index = begin; index < end; ++index) {
                         body(index, scratch.data());
                       }
                     });
  }

  int64_t batch, heads;
  Tensor counts;
  std::optional<cpu::Mask> mask;
  cpu::AttentionShape shape;
};

const float* data_of(const Tensor& x) {
  return x.defined() ? x.const_data_ptr<float>() : nullptr;
}
float* mutable_data_of(const Tensor& x) {
  return x.defined() ? x.mutable_data_ptr<float>() : nullptr;
}

struct PackedAttention : torch::autograd::Function<PackedAttention> {
  static Tensor forward(AutogradContext* context, const Tensor& queries, const std::optional<Tensor>& given_memory,
                        const PackedHeads& packed, const Visible& visible, const Drawing& drawing) {
    const auto memory = given_memory.value_or(Tensor());
    const Call call(packed, visible.counts(), visible.causal(), drawing);
    const auto& shape = call.shape;
    const auto output = torch::empty({call.batch, shape.queries, call.heads * shape.d_v}, queries.options());
    const auto weights = torch::empty({call.batch * call.heads, call.weights_of_head()}, queries.options());
    const Places<const float> from(data_of(queries), data_of(memory), shape, call.heads);
    const cpu::HeadRows<float> to{output.mutable_data_ptr<float>(), call.heads * shape.d_v};
    auto* w = weights.mutable_data_ptr<float>();
    call.for_heads([&](int64_t index, float* scratch) {
      const int64_t b = index / call.heads, h = index % call.heads;
      cpu::attend(shape, call.head(index, from), Places<float>::head(to, b * shape.queries, h * shape.d_v),
                  w + index * call.weights_of_head(), scratch);
    });
    save(context, drawing);
    context->saved_data["causal"] = visible.causal();
    context->saved_data["heads"] = packed.heads;
    context->saved_data["d_k"] = packed.d_k;
    context->saved_data["d_v"] = packed.d_v;
    context->save_for_backward({queries, memory, visible.counts(), weights});
    return output;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    auto& data = context->saved_data;
    const PackedHeads packed{saved[0], saved[1], data["heads"].toInt(), data["d_k"].toInt(), data["d_v"].toInt()};
    const Call call(packed, saved[2], data["causal"].toBool(), saved_drawing(context));
    const auto& shape = call.shape;
    const auto of_output = gradients[0].contiguous();
    const auto of_queries = torch::empty_like(packed.queries);
    const auto of_memory = packed.self() ? Tensor() : torch::empty_like(packed.memory);
    const Places<const float> from(data_of(packed.queries), data_of(packed.memory), shape, call.heads);
    const Places<float> to(mutable_data_of(of_queries), mutable_data_of(of_memory), shape, call.heads);
    const cpu::HeadRows<const float> output{of_output.const_data_ptr<float>(), call.heads * shape.d_v};
    const auto* w = saved[3].const_data_ptr<float>();
    call.for_heads([&](int64_t index, float* scratch) {
      const int64_t b = index / call.heads, h = index % call.heads;
      cpu::attend_backward(shape, call.head(index, from), w + index * call.weights_of_head(),
                           Places<const float>::head(output, b * shape.queries, h * shape.d_v),
                           to.head(to.q, b * shape.queries, h * shape.d_k),
                           to.head(to.k, b * shape.keys, h * shape.d_k), to.head(to.v, b * shape.keys, h * shape.d_v),
                           scratch);
    });
    return {of_queries, of_memory, {}, {}, {}};
  }
};

bool is_plain(const Tensor& x) {
  return !x.defined() || (x.is_cpu() && x.scalar_type() == torch::kFloat32);
}

}  // namespace

bool can_pack(const PackedHeads& packed, const AttentionCall& call) {
  return cpu::has_attention() && is_plain(packed.queries) && is_plain(packed.memory) &&
         packed.d_k % cpu::attention_lanes == 0 && packed.d_v % cpu::attention_lanes == 0 && !call.bias.defined() &&
         !at::autocast::is_autocast_enabled(at::kCPU) &&
         (call.visible.counts().defined() || !call.visible.keys().defined());
}

Tensor packed_attention(const PackedHeads& packed, const AttentionCall& call) {
  const Drawing drawing = drops(call.dropout, call.stream) ? Drawing{call.stream->next(), call.dropout} : Drawing{};
  const auto queries = packed.queries.contiguous();
  const auto memory = packed.self() ? std::nullopt : std::optional<Tensor>(packed.memory.contiguous());
  return PackedAttention::apply(queries, memory, packed, call.visible, drawing);
}

}  // namespace attnlab::modules
