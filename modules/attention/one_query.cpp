#include "modules/attention/one_query.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "modules/cpu/one_query.h"
#include "modules/parallel.h"

namespace attnlab::modules {

namespace {

using torch::Tensor;

constexpr int64_t numbers_of_part = 16384;  // keys and values that are worth a thread

bool is_plain(const Tensor& x) {
  return x.is_cpu() && x.scalar_type() == torch::kFloat32 && x.stride(-1) == 1 &&
         !(x.requires_grad() && torch::GradMode::is_enabled());
}

}  // namespace

bool is_one_query(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionCall& call) {
  const bool alike =
      q.size(0) == k.size(0) && q.size(0) == v.size(0) && q.size(1) == k.size(1) && q.size(1) == v.size(1);
  return q.size(2) == 1 && alike && is_plain(q) && is_plain(k) && is_plain(v) && !call.bias.defined() &&
         !call.drops() && call.visible.is_counted();
}

Tensor attend_one_query(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionCall& call) {
  const int64_t heads = q.size(1), keys = k.size(2), d_k = q.size(3), d_v = v.size(3);
  const auto output = torch::empty({q.size(0), heads, 1, d_v}, q.options());
  const auto& counts = call.visible.counts();
  const auto* count = counts.defined() ? counts.const_data_ptr<int64_t>() : nullptr;
  const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(d_k)));
  const auto *from_q = q.const_data_ptr<float>(), *from_k = k.const_data_ptr<float>(),
             *from_v = v.const_data_ptr<float>();
  auto* to = output.mutable_data_ptr<float>();
  const int64_t grain = std::max<int64_t>(1, numbers_of_part / std::max<int64_t>(1, keys * (d_k + d_v)));
  parallel_for(0, q.size(0) * heads, grain, [&](int64_t begin, int64_t end) {
    std::vector<float> weights(static_cast<size_t>(keys));
    for (int64_t index = begin; index < end; ++index) {
      const int64_t b = index / heads, h = index % heads;
      const int64_t seen = count != nullptr ? std::min(keys, count[b]) : keys;
      cpu::attend_one(to + index * d_v, from_q + b * q.stride(0) + h * q.stride(1),
                      {from_k + b * k.stride(0) + h * k.stride(1), k.stride(2), d_k},
                      {from_v + b * v.stride(0) + h * v.stride(1), v.stride(2), d_v}, seen, scale, weights.data());
    }
  });
  return output;
}

}  // namespace attnlab::modules
