#include "modules/positions/learned.h"

#include <cmath>

#include <fmt/format.h>

#include "support/error.h"

namespace attnlab::modules {

namespace {

torch::Tensor stretched_rows(const torch::Tensor& table, PositionRange range, const torch::Tensor& valid) {
  const int64_t last = table.size(0) - 1;
  const auto float64 = torch::dtype(torch::kFloat64).device(table.device());
  const auto lengths = valid.defined() ? valid.sum(-1, /*keepdim=*/true).to(torch::kFloat64) + range.first
                                       : torch::full({1, 1}, range.end(), float64);  // [B, 1]
  const auto rate = (static_cast<double>(last) / (lengths - 1)).clamp(0, 1);         // [B, 1]; 1 where it fits
  const auto place = (torch::arange(range.first, range.end(), float64) * rate.where(lengths > last + 1, 1.0))
                         .clamp_max(static_cast<double>(last));  // [B, T]
  const auto below = place.floor();
  const auto share = (place - below).unsqueeze(-1).to(table.dtype());  // [B, T, 1]
  const auto row = below.to(torch::kInt64);
  return torch::lerp(torch::embedding(table, row), torch::embedding(table, (row + 1).clamp_max(last)), share);
}

}  // namespace

Beyond beyond_policy(const std::string& name) {
  return name == "clamp" ? Beyond::clamp : name == "interpolate" ? Beyond::interpolate : Beyond::error;
}

torch::Tensor table_rows(const torch::Tensor& table, Beyond beyond, PositionRange range, const torch::Tensor& valid) {
  const int64_t rows = table.size(0);
  if (range.end() <= rows) {
    return table.narrow(0, range.first, range.count);
  }
  if (beyond == Beyond::error) {
    throw Error(
        fmt::format("A sequence of {} pieces is longer than the table of learned positions (max_length {}). Raise "
                    "positions.max_length, drop longer sentences, or set positions.beyond to \"clamp\".",
                    range.end(), rows));
  }
  if (beyond == Beyond::interpolate) {
    return stretched_rows(table, range, valid);
  }
  const auto index =
      torch::arange(range.first, range.end(), torch::dtype(torch::kInt64).device(table.device())).clamp_max(rows - 1);
  return table.index_select(0, index);
}

Learned::Learned(int64_t max_length, int64_t d_model, Beyond beyond) : beyond_(beyond) {
  table = register_parameter("table", torch::zeros({max_length, d_model}));
}

void Learned::reset_parameters(const Initializer& initializer) {
  initializer.normal(table, "table", 1.0 / std::sqrt(static_cast<double>(table.size(1))));
}

torch::Tensor Learned::embed(const torch::Tensor& x, PositionRange range, const torch::Tensor& valid) {
  return x + table_rows(table, beyond_, range, valid);
}

std::shared_ptr<Positions> make_learned(const PositionOptions& options, const TransformerOptions& model, Stack) {
  return std::make_shared<Learned>(options.max_length, model.d_model, beyond_policy(options.beyond));
}

int64_t learned_size(const PositionOptions& options, const TransformerOptions& model, Stack) {
  return options.max_length * model.d_model;
}

}  // namespace attnlab::modules
