#include "modules/dropout.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "modules/dropout_drawing.h"
#include "modules/parallel.h"
#include "modules/philox.h"

namespace attnlab::modules {

namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

template <class Out, class In>
void run(const Tensor& out, const Tensor& residual, const Tensor& x, const cpu::Mask& mask) {
  const auto* residual_data = residual.defined() ? static_cast<const Out*>(residual.const_data_ptr()) : nullptr;
  const auto* x_data = static_cast<const In*>(x.const_data_ptr());
  auto* out_data = static_cast<Out*>(out.mutable_data_ptr());
  const int64_t count = x.numel(), groups = (count + cpu::group_size - 1) / cpu::group_size;
  parallel_for(0, groups, 256, [&](int64_t begin, int64_t end) {
    cpu::drop(out_data, residual_data, x_data, begin * cpu::group_size, std::min(end * cpu::group_size, count), mask);
  });
}

Tensor drop_on_cpu(const Tensor& residual, const Tensor& x, torch::ScalarType result, const Drawing& drawing) {
  const auto out = torch::empty(x.sizes(), x.options().dtype(result));
  const auto mask = mask_of(drawing);
  const auto given = x.scalar_type();
  if (result == torch::kFloat32 && given == torch::kFloat32) {
    run<float, float>(out, residual, x, mask);
  } else if (result == torch::kFloat64 && given == torch::kFloat64) {
    run<double, double>(out, residual, x, mask);
  } else if (result == torch::kBFloat16 && given == torch::kBFloat16) {
    run<cpu::Bfloat16, cpu::Bfloat16>(out, residual, x, mask);
  } else if (result == torch::kFloat32 && given == torch::kBFloat16) {
    run<float, cpu::Bfloat16>(out, residual, x, mask);
  } else if (result == torch::kBFloat16 && given == torch::kFloat32) {
    run<cpu::Bfloat16, float>(out, residual, x, mask);
  } else {
    return drop_on_cpu(residual, x.to(result), result, drawing);
  }
  return out;
}

// The device's own generator, seeded for this mask alone.
Tensor drop_elsewhere(const Tensor& residual, const Tensor& x, torch::ScalarType result, const Drawing& drawing) {
  auto generator = at::globalContext().defaultGenerator(x.device()).clone();
  const auto mask = mask_of(drawing);
  generator.set_current_seed(scatter(scatter(mask.key ^ mask.place) ^ mask.micro_batch));
  const auto factor = torch::empty_like(x).bernoulli_(1.0 - drawing.rate, generator).mul_(mask.scale);
  const auto dropped = (x * factor).to(result);
  return residual.defined() ? residual + dropped : dropped;
}

// residual (undefined: zeros) + the elements of x that are kept, in the dtype `result`.
Tensor drop(const Tensor& residual, const Tensor& x, torch::ScalarType result, const Drawing& drawing) {
  if (!x.is_cpu()) {
    return drop_elsewhere(residual, x, result, drawing);
  }
  const auto dense = residual.defined() ? residual.to(result).contiguous() : residual;
  return drop_on_cpu(dense, x.contiguous(), result, drawing);
}

// Dropout is linear in x, so its backward pass is dropout itself with the same mask.
struct Dropout : torch::autograd::Function<Dropout> {
  static Tensor forward(AutogradContext* context, const Tensor& x, torch::ScalarType result, const Drawing& drawing) {
    save(context, drawing);
    context->saved_data["dtype"] = x.scalar_type();
    return drop({}, x, result, drawing);
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    return {apply(gradients[0], context->saved_data["dtype"].toScalarType(), saved_drawing(context)), {}, {}};
  }
};

struct AddDropout : torch::autograd::Function<AddDropout> {
  static Tensor forward(AutogradContext* context, const Tensor& residual, const Tensor& x, const Drawing& drawing) {
    save(context, drawing);
    context->saved_data["residual_dtype"] = residual.scalar_type();
    context->saved_data["dtype"] = x.scalar_type();
    return drop(residual, x, torch::promote_types(residual.scalar_type(), x.scalar_type()), drawing);
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    return {gradients[0].to(context->saved_data["residual_dtype"].toScalarType()),
            Dropout::apply(gradients[0], context->saved_data["dtype"].toScalarType(), saved_drawing(context)),
            {}};
  }
};

// Leaves the gradient's mask in its output: what is above 0 was positive and kept.
struct ReluDropout : torch::autograd::Function<ReluDropout> {
  static Tensor forward(AutogradContext* context, const Tensor& given, const Drawing& drawing) {
    const auto x = given.contiguous(), out = torch::empty_like(x);
    const auto mask = mask_of(drawing);
    const auto* from = x.const_data_ptr<float>();
    auto* to = out.mutable_data_ptr<float>();
    const int64_t count = x.numel(), groups = (count + cpu::group_size - 1) / cpu::group_size;
    parallel_for(0, groups, 256, [&](int64_t begin, int64_t end) {
      cpu::relu_drop(to, from, begin * cpu::group_size, std::min(end * cpu::group_size, count), mask);
    });
    context->saved_data["scale"] = mask.scale;
    context->save_for_backward({out});
    return out;
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto y = context->get_saved_variables()[0], gradient = gradients[0].contiguous();
    const auto out = torch::empty_like(y);
    const auto scale = static_cast<float>(context->saved_data["scale"].toDouble());
    const auto *from = gradient.const_data_ptr<float>(), *of = y.const_data_ptr<float>();
    auto* to = out.mutable_data_ptr<float>();
    parallel_for(0, y.numel(), 32768, [&](int64_t begin, int64_t end) {
      cpu::relu_drop_backward(to + begin, from + begin, of + begin, end - begin, scale);
    });
    return {out, {}};
  }
};

// A single number is a row of its own.
int64_t width_of(const Tensor& x) {
  return x.dim() == 0 ? 1 : x.size(-1);
}

}  // namespace

cpu::Mask mask_of(const Drawing& drawing) {
  const double threshold = std::min(std::nearbyint(drawing.rate * 0x1p32), 0x1p32 - 1);
  return {scatter(scatter(drawing.key.seed) ^ drawing.key.step),
          drawing.key.place,
          drawing.key.micro_batch,
          static_cast<uint32_t>(threshold),
          1.0 / (1.0 - drawing.rate),
          static_cast<uint64_t>(drawing.first)};
}

Drawing next_for_rows(DropoutStream& stream, double rate, int64_t width) {
  const DropoutKey key = stream.next();
  return {key, rate, key.first_row * width};
}

Drawing next_for_sentences(DropoutStream& stream, double rate, int64_t elements) {
  const DropoutKey key = stream.next();
  return {key, rate, key.first_sentence * elements};
}

void save(AutogradContext* context, const Drawing& drawing) {
  auto& data = context->saved_data;
  data["seed"] = static_cast<int64_t>(drawing.key.seed);
  data["step"] = static_cast<int64_t>(drawing.key.step);
  data["micro_batch"] = static_cast<int64_t>(drawing.key.micro_batch);
  data["place"] = static_cast<int64_t>(drawing.key.place);
  data["rate"] = drawing.rate;
  data["first"] = drawing.first;
}

Drawing saved_drawing(AutogradContext* context) {
  auto& data = context->saved_data;
  Drawing drawing;
  drawing.key.seed = static_cast<uint64_t>(data["seed"].toInt());
  drawing.key.step = static_cast<uint64_t>(data["step"].toInt());
  drawing.key.micro_batch = static_cast<uint32_t>(data["micro_batch"].toInt());
  drawing.key.place = static_cast<uint32_t>(data["place"].toInt());
  drawing.rate = data["rate"].toDouble();
  drawing.first = data["first"].toInt();
  return drawing;
}

bool drops(double rate, const DropoutStream* stream) {
  if (!(rate >= 0 && rate < 1)) {
    throw std::invalid_argument(fmt::format("A dropout rate must be in [0, 1), got {}.", rate));
  }
  return stream != nullptr && rate > 0;
}

Tensor dropout(const Tensor& x, double rate, DropoutStream* stream) {
  return drops(rate, stream) ? Dropout::apply(x, x.scalar_type(), next_for_rows(*stream, rate, width_of(x))) : x;
}

Tensor relu_dropout(const Tensor& x, double rate, DropoutStream* stream) {
  if (!x.is_cpu() || x.scalar_type() != torch::kFloat32 || !drops(rate, stream)) {
    return dropout(torch::relu(x), rate, stream);
  }
  return ReluDropout::apply(x, next_for_rows(*stream, rate, width_of(x)));
}

Tensor add_dropout(const Tensor& residual, const Tensor& x, double rate, DropoutStream* stream) {
  return drops(rate, stream) ? AddDropout::apply(residual, x, next_for_rows(*stream, rate, width_of(x))) : residual + x;
}

}  // namespace attnlab::modules
