#include "modules/attention/key_pool.h"

#include <algorithm>

namespace attnlab::modules {

void KeyPool::make_room(const torch::Tensor& like, int64_t key_width, int64_t value_width, int64_t needed) {
  if (keys.defined() && keys.size(0) >= needed) {
    return;
  }
  // Side by side, so that a place is one piece of memory.
  const auto both = torch::empty({std::max(16 * (needed - used), 2 * needed), key_width + value_width}, like.options());
  const auto longer_keys = both.narrow(1, 0, key_width), longer_values = both.narrow(1, key_width, value_width);
  if (used > 0) {
    longer_keys.narrow(0, 0, used).copy_(keys.narrow(0, 0, used));
    longer_values.narrow(0, 0, used).copy_(values.narrow(0, 0, used));
  }
  keys = longer_keys;
  values = longer_values;
}

void KeyPool::append(const torch::Tensor& new_keys, const torch::Tensor& new_values) {
  const int64_t batch = new_keys.size(0), heads = new_keys.size(1), count = new_keys.size(2);
  const int64_t d_k = new_keys.size(3), d_v = new_values.size(3);
  make_room(new_keys, heads * d_k, heads * d_v, used + batch * count);
  const auto write = [&](const torch::Tensor& held, const torch::Tensor& rows, int64_t width) {
    held.narrow(0, used, batch * count).view({batch, count, heads, width}).copy_(rows.transpose(1, 2));
  };
  write(keys, new_keys, d_k);
  write(values, new_values, d_v);
  used += batch * count;
}

torch::Tensor KeyPool::of_rows(const torch::Tensor& held, int64_t heads) const {
  return held.index_select(0, places.flatten())
      .view({places.size(0), places.size(1), heads, held.size(1) / heads})
      .transpose(1, 2);
}

}  // namespace attnlab::modules
