#pragma once
/// What single rows of attention weights say. `weights` is [..., Tq, Tk], rows are queries and sum to 1 (0: a row that
/// may see nothing); results are float64 and have one number a row, [..., Tq]. Docs with formulas: docs/inspection.md.

#include <cstdint>

#include "modules/torch.h"

namespace attnlab::inspection {

/// -sum_k a_k ln a_k, in nats; 0 ln 0 = 0.
torch::Tensor row_entropy(const torch::Tensor& weights);

/// `row_entropy` over ln(n), n = the keys that the row may see: 1 is uniform, 0 is one key. `visible` [Tq] int64. NaN
/// where n < 2.
torch::Tensor row_relative_entropy(const torch::Tensor& weights, const torch::Tensor& visible);

/// sum_k a_k |q - k|, in positions.
torch::Tensor row_distance(const torch::Tensor& weights);

/// The largest weight among keys that are not in `excluded` [Tk] bool (Voita et al. 2019 leave out the end mark).
torch::Tensor row_maximum(const torch::Tensor& weights, const torch::Tensor& excluded);

/// The weight that keys in `mask` [Tk] bool get together.
torch::Tensor row_share(const torch::Tensor& weights, const torch::Tensor& mask);

/// Which key gets the most: [..., Tq] int64; the first of equals.
torch::Tensor row_peak(const torch::Tensor& weights);

/// Keys that each query may see: all of them, or 1..Tq for causal attention. [Tq] int64.
enum class Sight { everything, past };
torch::Tensor visible_keys(int64_t queries, int64_t keys, Sight sight);

/// Jensen-Shannon distance between heads (Clark et al. 2019, section 5, compare by the divergence): `weights` [G, Tq,
/// Tk] -> [G, G], the mean over rows of sqrt(JSD in bits), which lies in [0, 1]. `most` weights are looked at at once,
/// in float64.
torch::Tensor jensen_shannon(const torch::Tensor& weights, int64_t most = int64_t{4} << 20);

}  // namespace attnlab::inspection
