#include "modules/attention/weights.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "modules/cpu/softmax.h"
#include "modules/dropout_drawing.h"
#include "modules/parallel.h"

namespace attnlab::modules {

namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr int64_t rows_of_block = cpu::group_size;  // then a block's elements are whole groups of the dropout generator

// What the loops need to know about one call.
struct Shape {
  Shape(const Tensor& scores, Tensor counts, bool causal, double scale_, Drawing drawing_)
      : kept_counts(std::move(counts)), scale(scale_), drawing(drawing_) {
    rows.queries = scores.size(2);
    rows.keys = scores.size(3);
    rows.rows_of_batch = scores.size(1) * rows.queries;
    rows.causal = causal;
    rows.counts = kept_counts.defined() ? kept_counts.const_data_ptr<int64_t>() : nullptr;
    count = scores.size(0) * rows.rows_of_batch;
  }
  bool drops() const { return drawing.rate > 0; }

  Tensor kept_counts;
  cpu::Rows rows;
  int64_t count;  // of rows
  double scale;
  Drawing drawing;
};

template <class Body>
void for_blocks(const Shape& shape, const Body& body) {
  const int64_t blocks = (shape.count + rows_of_block - 1) / rows_of_block;
  const int64_t grain = std::max<int64_t>(1, 16384 / std::max<int64_t>(1, rows_of_block * shape.rows.keys));
  parallel_for(0, blocks, grain, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      body(i * rows_of_block, std::min((i + 1) * rows_of_block, shape.count));
    }
  });
}

template <class Number>
void forward_blocks(const Shape& shape, const Tensor& scores, const Tensor& weights, const Tensor& applied) {
  const auto* s = scores.const_data_ptr<Number>();
  auto* w = weights.mutable_data_ptr<Number>();
  auto* a = shape.drops() ? applied.mutable_data_ptr<Number>() : nullptr;
  const auto mask = mask_of(shape.drawing);
  for_blocks(shape, [&](int64_t begin, int64_t end) {
    cpu::softmax(w, s, begin, end, shape.rows, static_cast<Number>(shape.scale));
    if (a != nullptr) {
      cpu::drop<Number, Number>(a, nullptr, w, begin * shape.rows.keys, end * shape.rows.keys, mask);
    }
  });
}

// The gradient of the weights is that of the applied ones through the mask, and what comes to the weights themselves.
template <class Number>
void backward_blocks(const Shape& shape, const Tensor& weights, const Tensor& of_weights, const Tensor& of_applied,
                     const Tensor& out) {
  const int64_t keys = shape.rows.keys;
  const auto* w = weights.const_data_ptr<Number>();
  const auto* direct = of_weights.defined() ? of_weights.const_data_ptr<Number>() : nullptr;
  const auto* through = of_applied.defined() ? of_applied.const_data_ptr<Number>() : nullptr;
  auto* o = out.mutable_data_ptr<Number>();
  const auto mask = mask_of(shape.drawing);
  for_blocks(shape, [&](int64_t begin, int64_t end) {
    const Number* gradient = direct;
    if (through != nullptr) {
      cpu::drop<Number, Number>(o, direct, through, begin * keys, end * keys, mask);
      gradient = o;
    }
    cpu::softmax_backward(o, w, gradient, begin, end, shape.rows, static_cast<Number>(shape.scale));
  });
}

struct MaskedSoftmax : torch::autograd::Function<MaskedSoftmax> {
  static tensor_list forward(AutogradContext* context, const Tensor& given, const Visible& visible, double scale,
                             const Drawing& drawing) {
    const auto scores = given.contiguous();
    const Shape shape(scores, visible.counts(), visible.causal(), scale, drawing);
    const auto weights = torch::empty_like(scores), applied = shape.drops() ? torch::empty_like(scores) : Tensor();
    AT_DISPATCH_FLOATING_TYPES(scores.scalar_type(), "masked_softmax",
                               [&] { forward_blocks<scalar_t>(shape, scores, weights, applied); });
    save(context, drawing);
    context->saved_data["causal"] = visible.causal();
    context->saved_data["scale"] = scale;
    context->save_for_backward({weights, visible.counts()});
    context->set_materialize_grads(false);
    return shape.drops() ? tensor_list{weights, applied} : tensor_list{weights};
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& weights = saved[0];
    const auto of_weights = gradients[0].defined() ? gradients[0].contiguous() : Tensor();
    const auto of_applied = gradients.size() > 1 && gradients[1].defined() ? gradients[1].contiguous() : Tensor();
    if (!of_weights.defined() && !of_applied.defined()) {
      return {{}, {}, {}, {}};
    }
    const Shape shape(weights, saved[1], context->saved_data["causal"].toBool(),
                      context->saved_data["scale"].toDouble(), saved_drawing(context));
    const auto out = torch::empty_like(weights);
    AT_DISPATCH_FLOATING_TYPES(weights.scalar_type(), "masked_softmax_backward",
                               [&] { backward_blocks<scalar_t>(shape, weights, of_weights, of_applied, out); });
    return {out, {}, {}, {}};
  }
};

}  // namespace

AttentionWeights attention_weights_plain(const Tensor& scores, double scale, const AttentionCall& call) {
  const auto mask = call.visible.mask(scores.size(2), scores.size(3), scores.device());
  AttentionWeights result;
  if (mask.defined()) {
    // An ordinary softmax would make a row that sees nothing NaN.
    result.weights = at::_safe_softmax(
        (scores * scale).masked_fill(mask.logical_not(), -std::numeric_limits<double>::infinity()), -1);
  } else {
    result.weights = (scores * scale).softmax(-1);
  }
  result.applied = dropout(result.weights, call.dropout, call.stream);
  return result;
}

AttentionWeights attention_weights(const Tensor& scores, double scale, const AttentionCall& call) {
  if (!scores.is_cpu()) {
    return attention_weights_plain(scores, scale, call);
  }
  if (scores.scalar_type() == torch::kBFloat16) {  // the softmax itself is always done in float32
    const auto [weights, applied] = attention_weights(scores.to(torch::kFloat32), scale, call);
    return {weights.to(torch::kBFloat16), applied.to(torch::kBFloat16)};
  }
  const Drawing drawing =
      drops(call.dropout, call.stream)
          ? next_for_sentences(*call.stream, call.dropout, scores.size(1) * scores.size(2) * scores.size(3))
          : Drawing{};
  const auto result = MaskedSoftmax::apply(scores, call.visible, scale, drawing);
  return {result.front(), result.back()};
}

}  // namespace attnlab::modules
