#include "modules/bf16_product.h"

#include <algorithm>
#include <vector>

#include <ATen/native/CPUBlas.h>

#include "modules/cpu/bf16_rows.h"
#include "modules/parallel.h"

namespace attnlab::modules {

namespace {

using cpu::FloatMatrix;
using torch::Tensor;

constexpr int64_t block_rows = 128;     // of the left factor at once
constexpr int64_t block_inner = 512;    // of what is summed over at once; even
constexpr int64_t panel_columns = 512;  // of the right factor at once
constexpr int64_t summed_rows = 256;    // of a gradient of a weight at once; even
constexpr int64_t step = 64;            // the last block of rows is filled up to a multiple of this

int64_t filled_up(int64_t rows) {
  return (rows + step - 1) / step * step;
}

FloatMatrix part(const Tensor& x, int64_t row, int64_t rows, int64_t column, int64_t columns) {
  return {x.const_data_ptr<float>() + row * x.stride(0) + column, rows, columns, x.stride(0)};
}

// Memory for rounded numbers, as the loops and as oneDNN call them.
class Rounded {
 public:
  explicit Rounded(int64_t count) : numbers_(static_cast<size_t>(count)) {}
  cpu::Bfloat16* out() { return reinterpret_cast<cpu::Bfloat16*>(numbers_.data()); }
  const c10::BFloat16* in() const { return numbers_.data(); }

 private:
  std::vector<c10::BFloat16> numbers_;
};

// y [rows, columns] (+)= a [rows, inner] b [inner, columns]; b in pairs of rows, all dense but y.
void block(int64_t rows, int64_t columns, int64_t inner, const c10::BFloat16* a, const c10::BFloat16* b, float* y,
           int64_t y_stride, bool add) {
  at::native::cpublas::brgemm(rows, columns, inner, /*ld_a=*/inner, /*ld_b=*/columns, y_stride, add, a, b, y);
}

// Gives the processor's tile registers back, where it has some.
struct Release {
  Release() = default;
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;
  ~Release() { at::native::cpublas::brgemm_release(); }
};

// One block of rows of `multiply`, into rows of `factor.columns()` numbers.
void multiply_block(float* y, int64_t filled, const Tensor& x, int64_t row, int64_t rows, const Bf16Factor& factor,
                    Rounded& rounded) {
  for (int64_t k = 0; k < factor.inner(); k += block_inner) {
    const int64_t columns = std::min(block_inner, factor.inner() - k), inner = cpu::whole_pairs(columns);
    cpu::round_rows(part(x, row, rows, k, columns), rounded.out());
    std::fill_n(rounded.out() + rows * inner, (filled - rows) * inner, cpu::Bfloat16{0});
    for (int64_t n = 0; n < factor.columns(); n += panel_columns) {
      block(filled, factor.panel_width(n), inner, rounded.in(), factor.panel(n, k), y + n, factor.columns(), k > 0);
    }
  }
}

void add_to_rows(float* y, int64_t rows, const Tensor& bias) {
  const auto* b = bias.const_data_ptr<float>();
  const int64_t columns = bias.size(0);
  for (int64_t r = 0; r < rows; ++r, y += columns) {
    for (int64_t c = 0; c < columns; ++c) {
      y[c] += b[c];
    }
  }
}

}  // namespace

bool has_bf16_products() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx512bf16") && at::globalContext().hasMKLDNN();
  return has && at::globalContext().userEnabledMkldnn();
#else
  return false;
#endif
}

Bf16Factor::Bf16Factor(int64_t inner, int64_t columns)
    : inner_(inner), columns_(columns), panels_(torch::empty({cpu::whole_pairs(inner) * columns}, torch::kBFloat16)) {}

int64_t Bf16Factor::panel_width(int64_t first) const {
  return std::min(panel_columns, columns_ - first);
}

const c10::BFloat16* Bf16Factor::panel(int64_t first, int64_t row) const {
  return panels_.const_data_ptr<c10::BFloat16>() + first * cpu::whole_pairs(inner_) + row * panel_width(first);
}

Bf16Factor Bf16Factor::of(const Tensor& matrix) {
  Bf16Factor factor(matrix.size(0), matrix.size(1));
  auto* out = reinterpret_cast<cpu::Bfloat16*>(factor.panels_.mutable_data_ptr<c10::BFloat16>());
  const int64_t height = cpu::whole_pairs(factor.inner_);
  for (int64_t n = 0; n < factor.columns_; n += panel_columns) {
    cpu::pair_rows(part(matrix, 0, factor.inner_, n, factor.panel_width(n)), out + n * height, height);
  }
  return factor;
}

Bf16Factor Bf16Factor::transposed(const Tensor& matrix) {
  Bf16Factor factor(matrix.size(1), matrix.size(0));
  auto* out = reinterpret_cast<cpu::Bfloat16*>(factor.panels_.mutable_data_ptr<c10::BFloat16>());
  const int64_t height = cpu::whole_pairs(factor.inner_);
  for (int64_t n = 0; n < factor.columns_; n += panel_columns) {
    cpu::pair_columns(part(matrix, n, factor.panel_width(n), 0, factor.inner_), out + n * height);
  }
  return factor;
}

void multiply(const Tensor& out, const Tensor& x, const Bf16Factor& factor, const Tensor& bias) {
  const int64_t rows = x.size(0), columns = factor.columns(), blocks = (rows + block_rows - 1) / block_rows;
  auto* y = out.mutable_data_ptr<float>();
  parallel_for(0, blocks, /*grain=*/1, [&](int64_t begin, int64_t end) {
    const Release release;
    Rounded rounded(block_rows * cpu::whole_pairs(std::min(block_inner, factor.inner())));
    std::vector<float> last;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = i * block_rows, count = std::min(block_rows, rows - row), filled = filled_up(count);
      float* here = y + row * columns;
      if (count < filled) {  // rows that are filled up have no place there
        last.resize(static_cast<size_t>(filled * columns));
        multiply_block(last.data(), filled, x, row, count, factor, rounded);
        std::copy_n(last.data(), count * columns, here);
      } else {
        multiply_block(here, filled, x, row, count, factor, rounded);
      }
      if (bias.defined()) {
        add_to_rows(here, count, bias);
      }
    }
  });
}

void multiply_transposed(const Tensor& out, const Tensor& a, const Tensor& b, bool add) {
  const int64_t rows = a.size(0), height = a.size(1), columns = b.size(1);
  const int64_t panels = (columns + panel_columns - 1) / panel_columns;
  if (rows == 0 && !add) {
    out.zero_();
  }
  auto* y = out.mutable_data_ptr<float>();
  parallel_for(0, (height + block_rows - 1) / block_rows * panels, /*grain=*/1, [&](int64_t begin, int64_t end) {
    const Release release;
    Rounded left(block_rows * summed_rows), right(summed_rows * std::min(panel_columns, columns));
    for (int64_t tile = begin; tile < end; ++tile) {
      const int64_t m = tile / panels * block_rows, n = tile % panels * panel_columns;
      const int64_t tile_rows = std::min(block_rows, height - m), width = std::min(panel_columns, columns - n);
      for (int64_t row = 0; row < rows; row += summed_rows) {
        const int64_t count = std::min(summed_rows, rows - row), filled = filled_up(count);
        cpu::round_transposed(part(a, row, count, m, tile_rows), left.out(), filled);
        cpu::pair_rows(part(b, row, count, n, width), right.out(), filled);
        block(tile_rows, width, filled, left.in(), right.in(), y + m * columns + n, columns, add || row > 0);
      }
    }
  });
}

}  // namespace attnlab::modules
