#include "modules/bf16_product.h"

#include <cmath>
#include <fstream>

#include <unistd.h>

#include "modules/cpu/bf16_rows.h"
#include "modules/linear.h"
#include "tests/support/catch.h"

namespace attnlab::modules {
namespace {

using torch::Tensor;

#define NEEDS_BF16_PRODUCTS                                                    \
  if (!has_bf16_products()) {                                                  \
    WARN("skipped: this processor has no products of bfloat16 (AVX512_BF16)"); \
    return;                                                                    \
  }

/// LibTorch's own rounding.
Tensor rounded(const Tensor& x) {
  return x.to(torch::kBFloat16).to(torch::kFloat32);
}

Tensor product(const Tensor& x, const Bf16Factor& factor, const Tensor& bias = {}) {
  const auto out = torch::empty({x.size(0), factor.columns()});
  multiply(out, x, factor, bias);
  return out;
}

/// The bfloat16 numbers of an arrangement.
template <class Arrange>
Tensor arranged(std::vector<int64_t> shape, const Arrange& arrange) {
  const auto out = torch::full(shape, -1, torch::kBFloat16);
  arrange(reinterpret_cast<cpu::Bfloat16*>(out.mutable_data_ptr()));
  return out.to(torch::kFloat32);
}

int64_t resident_kib() {
  std::ifstream file("/proc/self/statm");
  int64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE) / 1024;
}

}  // namespace

TEST_CASE("Numbers are rounded to bfloat16 as LibTorch rounds them", "[bf16]") {
  // 1 + 2^-8 lies between 1 and 1 + 2^-7 and goes to the even one; so does 1 + 3 * 2^-8, upwards.
  const auto x =
      torch::tensor({1.00390625F, 1.01171875F, -3.3e38F, 3.4e38F, 1e-40F, -0.0F, INFINITY, NAN}).view({1, 8});
  const auto y = arranged({1, 8}, [&](auto* out) { cpu::round_rows({x.const_data_ptr<float>(), 1, 8, 8}, out); });
  CHECK(y[0][0].item<float>() == 1.0F);
  CHECK(y[0][1].item<float>() == 1.015625F);
  CHECK(torch::equal(y.narrow(1, 0, 7), rounded(x).narrow(1, 0, 7)));
  CHECK(std::isnan(y[0][7].item<float>()));
}

TEST_CASE("Rows, columns and pairs of them stand where a product reads them, filled up with zeros", "[bf16]") {
  for (const auto& [rows, columns] : std::vector<std::pair<int64_t, int64_t>>{{3, 5}, {16, 32}, {33, 50}, {1, 1}}) {
    INFO(rows << " x " << columns);
    const auto whole =
        torch::arange(1, rows * (columns + 2) + 1, torch::kFloat32).remainder(97).view({rows, columns + 2});
    const auto x = whole.narrow(1, 0, columns);  // a part of wider rows
    const cpu::FloatMatrix matrix{x.const_data_ptr<float>(), rows, columns, columns + 2};
    const int64_t width = cpu::whole_pairs(columns), height = cpu::whole_pairs(rows) + 4;
    const auto wide = torch::constant_pad_nd(x, {0, width - columns}),
               high = torch::constant_pad_nd(x, {0, 0, 0, height - rows});
    CHECK(arranged({rows, width}, [&](auto* out) { cpu::round_rows(matrix, out); }).equal(wide));
    CHECK(arranged({columns, height}, [&](auto* out) { cpu::round_transposed(matrix, out, height); }).equal(high.t()));
    const auto pairs = [](const Tensor& of) { return of.unflatten(0, {-1, 2}).transpose(1, 2); };
    CHECK(
        arranged({height / 2, columns, 2}, [&](auto* out) { cpu::pair_rows(matrix, out, height); }).equal(pairs(high)));
    CHECK(arranged({width / 2, rows, 2}, [&](auto* out) { cpu::pair_columns(matrix, out); }).equal(pairs(wide.t())));
  }
}

TEST_CASE("Products of bfloat16 are those of the rounded numbers, summed in float32", "[bf16]") {
  NEEDS_BF16_PRODUCTS
  torch::manual_seed(1);
  for (const auto& [rows, inner, columns] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{
           {1, 1, 1}, {3, 5, 7}, {130, 33, 17}, {257, 515, 1030}, {0, 8, 8}}) {
    INFO(rows << " x " << inner << " x " << columns);
    const auto x = torch::randn({rows, inner}), w = torch::randn({columns, inner}), b = torch::randn({columns});
    const auto expected = torch::linear(rounded(x), rounded(w));
    const double near = 1e-5 * std::sqrt(static_cast<double>(inner));
    CHECK(torch::allclose(product(x, Bf16Factor::transposed(w)), expected, near, near));
    CHECK(torch::allclose(product(x, Bf16Factor::transposed(w), b), expected + b, near, near));
    CHECK(torch::allclose(product(x, Bf16Factor::of(w.t().contiguous())), expected, near, near));
    const auto of_w = torch::full({columns, inner}, NAN), y = torch::randn({rows, columns});
    const auto expected_of_w = at::mm(rounded(y).t(), rounded(x));
    multiply_transposed(of_w, y, x, /*add=*/false);
    CHECK(torch::allclose(of_w, expected_of_w, 1e-4, 1e-4));
    multiply_transposed(of_w, y, x, /*add=*/true);
    CHECK(torch::allclose(of_w, 2 * expected_of_w, 1e-4, 1e-4));
  }
}

TEST_CASE("A row of a bfloat16 product does not depend on the rows beside it", "[bf16]") {
  NEEDS_BF16_PRODUCTS
  const auto x = torch::randn({300, 200});
  const auto factor = Bf16Factor::transposed(torch::randn({40, 200}));
  const auto y = product(x, factor);
  for (const int64_t row : {0, 127, 128, 255, 299}) {
    CHECK(product(x.narrow(0, row, 1), factor).equal(y.narrow(0, row, 1)));
  }
}

TEST_CASE("linear multiplies in bfloat16 where that is in force, and passes back what fits", "[bf16]") {
  NEEDS_BF16_PRODUCTS
  torch::manual_seed(2);
  const auto x = torch::randn({4, 5, 24}).requires_grad_(), w = torch::randn({16, 24}).requires_grad_(),
             b = torch::randn({16}).requires_grad_(), r = torch::randn({4, 5, 16});
  CHECK(modules::linear(x, w, b).equal(torch::linear(x, w, b)));
  Tensor y, without_bias;
  {
    const Bf16Products products;
    y = modules::linear(x, w, b);
    without_bias = modules::linear(x, w);
    CHECK(modules::linear(x.to(torch::kFloat64), w.to(torch::kFloat64)).scalar_type() == torch::kFloat64);
  }
  CHECK(modules::linear(x, w, b).equal(torch::linear(x, w, b)));
  const auto expected = torch::linear(rounded(x), rounded(w));
  CHECK(torch::allclose(y, expected + b, 1e-4, 1e-4));
  CHECK(torch::allclose(without_bias, expected, 1e-4, 1e-4));
  y.backward(r);
  const auto rows = rounded(r).view({20, 16});
  CHECK(torch::allclose(x.grad().view({20, 24}), at::mm(rows, rounded(w)), 1e-4, 1e-4));
  CHECK(torch::allclose(w.grad(), at::mm(rows.t(), rounded(x).view({20, 24})), 1e-4, 1e-4));
  CHECK(torch::allclose(b.grad(), r.sum({0, 1}), 1e-4, 1e-4));
  const auto before = w.grad().clone();
  without_bias.backward(r);
  CHECK(w.grad().equal(before * 2));
}

TEST_CASE("New numbers of rows take no more memory", "[bf16]") {
  NEEDS_BF16_PRODUCTS
  const auto w = torch::randn({96, 64}), of_w = torch::empty_like(w);
  const auto factor = Bf16Factor::transposed(w);
  const auto step = [&](int64_t rows) {
    const auto x = torch::randn({rows, 64});
    multiply_transposed(of_w, product(x, factor), x, /*add=*/false);
  };
  for (int64_t rows = 32; rows <= 640; rows += 32) {
    step(rows);
  }
  const int64_t before = resident_kib();
  for (int64_t rows = 1; rows < 600; ++rows) {
    step(rows);
  }
  // LibTorch's own products of bfloat16 take 690 MiB for these 599 x 2 shapes; ours 2, and 40 where AddressSanitizer
  // keeps what was freed.
  CHECK(resident_kib() - before < 64 * 1024);
}

}  // namespace attnlab::modules
