#include "modules/positions/alibi.h"

#include <cmath>

#include "modules/positions/relative.h"

namespace attnlab::modules {

std::vector<double> alibi_slopes(int64_t heads) {
  int64_t power = 1;
  while (2 * power <= heads) {
    power *= 2;
  }
  std::vector<double> slopes;
  for (int64_t head = 0; head < heads; ++head) {
    const bool lower = head < power;
    const auto step = static_cast<double>(lower ? head + 1 : 2 * (head - power) + 1);
    slopes.push_back(std::exp2(-8.0 * step / static_cast<double>(lower ? power : 2 * power)));
  }
  return slopes;
}

Alibi::Alibi(int64_t heads)
    : table_([slopes = torch::tensor(alibi_slopes(heads), torch::kFloat64)](PositionRange range) {
        const auto distance = torch::arange(range.first, range.end(), torch::dtype(torch::kFloat64));
        return distance.abs().neg().unsqueeze(1) * slopes;
      }) {}

torch::Tensor Alibi::bias(int64_t, const torch::Tensor& q, const torch::Tensor&, PositionRange queries,
                          PositionRange keys) {
  const auto table = table_.rows(distances(queries, keys), table_options(q.options()));  // [W, H]
  return spread_distances(table.t(), queries.count, keys.count);                         // [H, Tq, Tk]
}

std::shared_ptr<Positions> make_alibi(const PositionOptions&, const TransformerOptions& model, Stack) {
  return std::make_shared<Alibi>(model.heads);
}

}  // namespace attnlab::modules
