#include "modules/attention/packed.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "modules/cpu/attention.h"
#include "modules/dropout_drawing.h"
#include "modules/parallel.h"

namespace attnlab::modules {

namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// The rows of every head in a pair of tensors like `PackedHeads`: the projections, or their gradients.
template <class Number>
struct Places {
  Places(Number* queries, Number* memory, const cpu::AttentionShape& shape, int64_t heads) {
    const int64_t key_width = heads * shape.d_k, value_width = heads * shape.d_v;
    q = {queries, memory == nullptr ? 2 * key_width + value_width : key_width};
    k = memory == nullptr ? cpu::HeadRows<Number>{queries + key_width, q.stride}
                          : cpu::HeadRows<Number>{memory, key_width + value_width};
    v = {k.data + key_width, k.stride};
  }
  cpu::HeadRows<Number> q, k, v;
};

// Where the sequences of one side stand among its rows.
struct Layout {
  Layout(const Tensor& rows, const TokenRows* tokens) {
    if (tokens != nullptr) {
      batch = tokens->batch();
      width = tokens->width();
      starts = tokens->starts();
      lengths = tokens->lengths();
    } else if (rows.defined()) {
      batch = rows.size(0);
      width = rows.size(1);
    }
  }
  Layout(int64_t batch_, int64_t width_, const Tensor& starts_, const Tensor& lengths_)
      : batch(batch_), width(width_), starts(starts_), lengths(lengths_) {}

  int64_t start(int64_t b) const { return starts.defined() ? starts.const_data_ptr<int64_t>()[b] : b * width; }
  int64_t length(int64_t b) const { return lengths.defined() ? lengths.const_data_ptr<int64_t>()[b] : width; }

  int64_t batch = 0, width = 0;
  Tensor starts, lengths;  // [B] int64; undefined with padding
};

// One call, as the loops take it.
struct Call {
  Call(const PackedHeads& packed, const Layout& of_queries, const Layout& of_keys, const Tensor& counts_, bool causal,
       const Drawing& drawing)
      : batch(of_queries.batch), heads(packed.heads), queries(of_queries), keys(of_keys), counts(counts_) {
    if (drawing.rate > 0) {
      mask = mask_of(drawing);
    }
    shape.queries = queries.width;
    shape.keys = keys.width;
    shape.d_k = packed.d_k;
    shape.d_v = packed.d_v;
    shape.causal = causal;
    shape.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(packed.d_k)));
    shape.mask = mask ? &*mask : nullptr;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  cpu::AttentionHead head(int64_t index, const Places<const float>& from) const {
    const int64_t b = index / heads, rows = keys.length(b);
    const int64_t seen = counts.defined() ? std::min(rows, counts.const_data_ptr<int64_t>()[b]) : rows;
    return {index,
            seen,
            queries.length(b),
            rows,
            query(from.q, index, shape.d_k),
            key(from.k, index, shape.d_k),
            key(from.v, index, shape.d_v)};
  }
  // The rows of one head of `width` columns.
  template <class Number>
  cpu::HeadRows<Number> query(cpu::HeadRows<Number> all, int64_t index, int64_t width) const {
    return {all.row(queries.start(index / heads)) + index % heads * width, all.stride};
  }
  template <class Number>
  cpu::HeadRows<Number> key(cpu::HeadRows<Number> all, int64_t index, int64_t width) const {
    return {all.row(keys.start(index / heads)) + index % heads * width, all.stride};
  }
  int64_t weights_of_head() const { return shape.queries * cpu::padded_keys(shape.keys); }

  // body(index of the head, scratch memory), on all threads.
  template <class Body>
  void for_heads(const Body& body) const {
    const int64_t work = weights_of_head() * (shape.d_k + shape.d_v);
    parallel_for(0, batch * heads, std::max<int64_t>(1, 200'000 / std::max<int64_t>(1, work)),
                 [&](int64_t begin, int64_t end) {
                   std::vector<float> scratch(static_cast<size_t>(shape.scratch()));
                   for (int64_t index = begin; index < end; ++index) {
                     body(index, scratch.data());
                   }
                 });
  }

  int64_t batch, heads;
  Layout queries, keys;
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

Tensor in_float(const Tensor& x) {
  return x.defined() ? x.to(torch::kFloat32).contiguous() : x;
}

// Rows as `like` has them, of another width.
Tensor float_rows(const Tensor& like, int64_t width) {
  auto sizes = like.sizes().vec();
  sizes.back() = width;
  return torch::empty(sizes, like.options().dtype(torch::kFloat32));
}

struct PackedAttention : torch::autograd::Function<PackedAttention> {
  static Tensor forward(AutogradContext* context, const Tensor& queries, const std::optional<Tensor>& given_memory,
                        const PackedHeads& packed, const Visible& visible, const Drawing& drawing) {
    const auto memory = given_memory.value_or(Tensor());
    const Layout of_queries(queries, packed.query_rows);
    const Layout of_keys = packed.self() ? of_queries : Layout(memory, packed.memory_rows);
    const Call call(packed, of_queries, of_keys, visible.counts(), visible.causal(), drawing);
    const auto& shape = call.shape;
    const auto query_floats = in_float(queries), memory_floats = in_float(memory);
    const auto output = float_rows(queries, call.heads * shape.d_v);
    const auto weights = torch::empty({call.batch * call.heads, call.weights_of_head()}, output.options());
    const Places<const float> from(data_of(query_floats), data_of(memory_floats), shape, call.heads);
    const cpu::HeadRows<float> to{output.mutable_data_ptr<float>(), call.heads * shape.d_v};
    auto* w = weights.mutable_data_ptr<float>();
    call.for_heads([&](int64_t index, float* scratch) {
      cpu::attend(shape, call.head(index, from), call.query(to, index, shape.d_v), w + index * call.weights_of_head(),
                  scratch);
    });
    save(context, drawing);
    auto& data = context->saved_data;
    data["causal"] = visible.causal();
    data["heads"] = packed.heads;
    data["d_k"] = packed.d_k;
    data["d_v"] = packed.d_v;
    data["batch"] = call.batch;
    data["queries"] = shape.queries;
    data["keys"] = shape.keys;
    context->save_for_backward({queries, memory, visible.counts(), weights, of_queries.starts, of_queries.lengths,
                                of_keys.starts, of_keys.lengths});
    return output.to(queries.scalar_type());
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    auto& data = context->saved_data;
    const auto number = [&data](const char* name) { return data[name].toInt(); };
    const PackedHeads packed{saved[0], saved[1], number("heads"), number("d_k"), number("d_v")};
    const Layout of_queries(number("batch"), number("queries"), saved[4], saved[5]);
    const Layout of_keys(number("batch"), number("keys"), saved[6], saved[7]);
    const Call call(packed, of_queries, of_keys, saved[2], data["causal"].toBool(), saved_drawing(context));
    const auto& shape = call.shape;
    const auto queries = in_float(packed.queries), memory = in_float(packed.memory);
    const auto of_output = in_float(gradients[0]);
    const auto query_gradients = torch::empty_like(queries);
    const auto memory_gradients = packed.self() ? Tensor() : torch::empty_like(memory);
    const Places<const float> from(data_of(queries), data_of(memory), shape, call.heads);
    const Places<float> to(mutable_data_of(query_gradients), mutable_data_of(memory_gradients), shape, call.heads);
    const cpu::HeadRows<const float> output{of_output.const_data_ptr<float>(), call.heads * shape.d_v};
    const auto* w = saved[3].const_data_ptr<float>();
    call.for_heads([&](int64_t index, float* scratch) {
      cpu::attend_backward(shape, call.head(index, from), w + index * call.weights_of_head(),
                           call.query(output, index, shape.d_v), call.query(to.q, index, shape.d_k),
                           call.key(to.k, index, shape.d_k), call.key(to.v, index, shape.d_v), scratch);
    });
    const auto type = packed.queries.scalar_type();
    return {query_gradients.to(type), packed.self() ? Tensor() : memory_gradients.to(type), {}, {}, {}};
  }
};

bool is_plain(const Tensor& x) {
  return !x.defined() || (x.is_cpu() && (x.scalar_type() == torch::kFloat32 || x.scalar_type() == torch::kBFloat16));
}

Tensor with_padding(const Tensor& x, const TokenRows* rows) {
  return rows != nullptr ? rows->scatter(x) : x;
}

}  // namespace

Tensor one_by_one(const Tensor& x, int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);  // [B, H, T, d]
}

Heads unpacked(const PackedHeads& p) {
  const int64_t key_width = p.heads * p.d_k, value_width = p.heads * p.d_v;
  const auto heads = [&](const Tensor& q, const Tensor& k, const Tensor& v) {
    return Heads{one_by_one(q, p.heads), one_by_one(k, p.heads), one_by_one(v, p.heads)};
  };
  if (p.self()) {
    const auto all = with_padding(p.queries, p.query_rows).split_with_sizes({key_width, key_width, value_width}, -1);
    return heads(all[0], all[1], all[2]);
  }
  const auto memory = with_padding(p.memory, p.memory_rows).split_with_sizes({key_width, value_width}, -1);
  return heads(with_padding(p.queries, p.query_rows), memory[0], memory[1]);
}

bool can_pack(const PackedHeads& packed, const AttentionCall& call) {
  return cpu::has_attention() && is_plain(packed.queries) && is_plain(packed.memory) && !call.bias.defined() &&
         call.visible.is_counted();
}

Tensor packed_attention(const PackedHeads& packed, const AttentionCall& call) {
  const Layout queries(packed.queries, packed.query_rows);
  const Layout keys = packed.self() ? queries : Layout(packed.memory, packed.memory_rows);
  const Drawing drawing =
      drops(call.dropout, call.stream)
          ? next_for_sentences(*call.stream, call.dropout, packed.heads * queries.width * keys.width)
          : Drawing{};
  const auto memory = packed.self() ? std::nullopt : std::optional<Tensor>(packed.memory);
  return PackedAttention::apply(packed.queries, memory, packed, call.visible, drawing);
}

}  // namespace attnlab::modules
