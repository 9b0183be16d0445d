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

cpu::PooledRows rows_of(const Tensor& held, int64_t heads) {
  return {held.const_data_ptr<float>(), held.stride(0), held.size(1) / heads};
}

}  // namespace

bool is_one_query(const Tensor& q, const KeyPool& pool, const AttentionCall& call) {
  return q.size(2) == 1 && is_plain(q) && is_plain(pool.keys) && is_plain(pool.values) && !call.bias.defined() &&
         !call.drops() && call.visible.is_counted();
}

Tensor attend_one_query(const Tensor& given, const KeyPool& pool, const AttentionCall& call) {
  const int64_t rows = given.size(0), heads = given.size(1), most = pool.places.size(1);
  const auto q = given.stride(1) == given.size(3) ? given : given.contiguous();  // heads side by side
  const auto keys = rows_of(pool.keys, heads), values = rows_of(pool.values, heads);
  const auto output = torch::empty({rows, heads, 1, values.width}, q.options());
  const auto places = pool.places.contiguous();
  const auto& counts = call.visible.counts();
  const auto* count = counts.defined() ? counts.const_data_ptr<int64_t>() : nullptr;
  const auto* place = places.const_data_ptr<int64_t>();
  const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(keys.width)));
  const auto* from = q.const_data_ptr<float>();
  auto* to = output.mutable_data_ptr<float>();
  const int64_t numbers_of_row = most * heads * (keys.width + values.width);
  const int64_t grain = std::max<int64_t>(1, numbers_of_part / std::max<int64_t>(1, numbers_of_row));
  parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
    std::vector<float> weights(static_cast<size_t>(heads * most));
    for (int64_t row = begin; row < end; ++row) {
      const int64_t seen = count != nullptr ? std::min(most, count[row]) : most;
      cpu::attend_one(to + row * heads * values.width, from + row * q.stride(0), keys, values, place + row * most, seen,
                      heads, scale, weights.data());
    }
  });
  return output;
}

}  // namespace attnlab::modules
