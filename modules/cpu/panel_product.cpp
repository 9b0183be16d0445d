#include "modules/cpu/panel_product.h"

#include <algorithm>
#include <vector>

#include "modules/cpu/multiversion.h"
#include "modules/cpu/small_product.h"

namespace attnlab::modules::cpu {

namespace {

/// Adds the bias to `columns` of each row of `y` and leaves the positive part, where that is asked for.
struct Finish {
  ATTNLAB_INLINE static void run(float* y, int64_t y_row, int64_t rows, int64_t columns, const float* bias, bool relu) {
    for (int64_t r = 0; r < rows; ++r, y += y_row) {
      for (int64_t c = 0; c < columns; ++c) {
        const float sum = bias != nullptr ? y[c] + bias[c] : y[c];
        y[c] = relu && sum < 0.0F ? 0.0F : sum;
      }
    }
  }
};

void multiply_panel(const PanelProduct& p, int64_t panel, float* y, int64_t y_row) {
  const int64_t width = panel_width();
  multiply({p.rows, width, p.inner, p.x, p.inner, 1, p.panels + panel * width * p.inner, width, y, y_row, 1.0F});
}

}  // namespace

int64_t panel_width() {
#if defined(__x86_64__)
  switch (widest_vectors()) {
    case Vectors::avx512:
      return 4 * lanes_size;
    case Vectors::avx2:
      return lanes_size;
    default:
      return 0;
  }
#else
  return lanes_size;
#endif
}

void multiply_panels(const PanelProduct& p, int64_t first, int64_t last) {
  if (p.rows == 0) return;  // there is no y to point into
  const int64_t width = panel_width();
  std::vector<float> whole;  // of a panel that has more columns than are left
  for (int64_t panel = first; panel < last; ++panel) {
    const int64_t begin = panel * width, columns = std::min(width, p.columns - begin);
    float* y = p.y + begin;
    if (columns == width) {
      multiply_panel(p, panel, y, p.columns);
    } else {
      whole.resize(static_cast<size_t>(p.rows * width));
      multiply_panel(p, panel, whole.data(), width);
      for (int64_t r = 0; r < p.rows; ++r) {
        std::copy_n(whole.data() + r * width, columns, y + r * p.columns);
      }
    }
    if (p.bias != nullptr || p.relu) {
      const float* bias = p.bias != nullptr ? p.bias + begin : nullptr;
      multiversion<Finish>(y, p.columns, p.rows, columns, bias, p.relu);
    }
  }
}

}  // namespace attnlab::modules::cpu
