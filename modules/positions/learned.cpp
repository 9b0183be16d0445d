#include "modules/positions/learned.h"

#include <cmath>

#include <fmt/format.h>

#include "support/error.h"

namespace attnlab::modules {

Learned::Learned(int64_t max_length, int64_t d_model, Beyond beyond) : beyond_(beyond) {
  table = register_parameter("table", torch::zeros({max_length, d_model}));
}

void Learned::reset_parameters(const Initializer& initializer) {
  initializer.normal(table, "table", 1.0 / std::sqrt(static_cast<double>(table.size(1))));
}

torch::Tensor Learned::embed(const torch::Tensor& x, PositionRange range) {
  const int64_t rows = table.size(0);
  if (range.end() <= rows) {
    return x + table.narrow(0, range.first, range.count);
  }
  if (beyond_ == Beyond::error) {
    throw Error(
        fmt::format("A sequence of {} pieces is longer than the table of learned positions (max_length {}). Raise "
                    "positions.max_length, drop longer sentences, or set positions.beyond to \"clamp\".",
                    range.end(), rows));
  }
  const auto index =
      torch::arange(range.first, range.end(), torch::dtype(torch::kInt64).device(x.device())).clamp_max(rows - 1);
  return x + table.index_select(0, index);
}

std::shared_ptr<Positions> make_learned(const PositionOptions& options, const TransformerOptions& model, Stack) {
  const auto beyond = options.beyond == "clamp" ? Learned::Beyond::clamp : Learned::Beyond::error;
  return std::make_shared<Learned>(options.max_length, model.d_model, beyond);
}

}  // namespace attnlab::modules
