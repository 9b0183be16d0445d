#include "modules/positions/t5.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "modules/positions/relative.h"

namespace attnlab::modules {

namespace {

T5Buckets t5_buckets(const PositionOptions& options, Stack stack) {
  return {stack == Stack::encoder, options.buckets, options.max_distance > 0 ? options.max_distance : 128};
}

torch::Tensor bucket_table(const T5Buckets& buckets, PositionRange range) {
  const auto table = torch::empty({range.count}, torch::kInt64);
  auto* bucket = table.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < range.count; ++i) {
    bucket[i] = buckets.of(range.first + i);
  }
  return table;
}

}  // namespace

int64_t T5Buckets::of(int64_t distance) const {
  const int64_t first = bidirectional && distance > 0 ? of_direction() : 0;
  const int64_t far = bidirectional ? std::abs(distance) : std::max<int64_t>(0, -distance);
  if (far < exact()) {
    return first + far;
  }
  // In single precision, as T5 has it: distances at the edge of two buckets are rounded alike.
  const float ratio = std::log(static_cast<float>(far) / static_cast<float>(exact())) /
                      static_cast<float>(std::log(static_cast<double>(max_distance) / static_cast<double>(exact())));
  const auto step = static_cast<int64_t>(ratio * static_cast<float>(of_direction() - exact()));
  return first + std::min(exact() + step, of_direction() - 1);
}

T5::T5(const T5Buckets& buckets, int64_t heads, int64_t d_model)
    : d_model_(d_model), bucket_([buckets](PositionRange range) { return bucket_table(buckets, range); }) {
  table = register_parameter("table", torch::zeros({buckets.buckets, heads}));
}

void T5::reset_parameters(const Initializer& initializer) {
  initializer.normal(table, "table", 1.0 / std::sqrt(static_cast<double>(d_model_)));
}

torch::Tensor T5::bias(int64_t, const torch::Tensor& q, const torch::Tensor&, PositionRange queries,
                       PositionRange keys) {
  const auto bucket = bucket_.rows(distances(queries, keys), q.options().dtype(torch::kInt64));  // [W]
  return spread_distances(table.index_select(0, bucket).t(), queries.count, keys.count);         // [H, Tq, Tk]
}

std::shared_ptr<Positions> make_t5(const PositionOptions& options, const TransformerOptions& model, Stack stack) {
  return std::make_shared<T5>(t5_buckets(options, stack), model.heads, model.d_model);
}

int64_t t5_size(const PositionOptions& options, const TransformerOptions& model, Stack) {
  return options.buckets * model.heads;
}

std::vector<std::string> t5_problems(const PositionOptions& options, const TransformerOptions&, Stack stack) {
  const T5Buckets buckets = t5_buckets(options, stack);
  if (buckets.bidirectional && (buckets.buckets < 4 || buckets.buckets % 2 != 0)) {
    return {
        fmt::format("buckets: expected an even number of at least 4 (the past has one half, the future the other), "
                    "got {}.",
                    buckets.buckets)};
  }
  if (buckets.buckets < 2) {
    return {fmt::format("buckets: expected at least 2, got {}.", buckets.buckets)};
  }
  if (buckets.max_distance <= buckets.exact()) {
    return {
        fmt::format("max_distance: expected more than {}, up to which each distance has one of the {} buckets for "
                    "itself, got {}; raise it, or lower buckets.",
                    buckets.exact(), buckets.buckets, buckets.max_distance)};
  }
  return {};
}

}  // namespace attnlab::modules
