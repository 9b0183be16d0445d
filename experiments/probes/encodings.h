#pragma once
/// What absolute position encodings look like, and whether the model uses positions at all.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "experiments/data/random.h"
#include "experiments/probes/probe.h"
#include "modules/options.h"

namespace attnlab::probes {

/// What is added to the embeddings at positions 0 .. count-1 of one stack: [count, D] float64. Nothing for methods that
/// add nothing (relative ones, rotary, none). Throws attnlab::Error past the end of a bounded table.
std::optional<torch::Tensor> encoding_table(modules::Transformer& model, modules::Stack stack, int64_t count);

/// Cosines between all rows of `table` [n, D] -> [n, n]; 0 for a row of zeros.
torch::Tensor cosine_matrix(const torch::Tensor& table);

/// Can PE(p + k) be told from PE(p) by one linear map for all p (section 3.5 of the paper)? The map of least squares is
/// fitted on even p and tested on odd p: the root of sum |PE(p+k) - PE(p) W|^2 / sum |PE(p+k)|^2. 0: yes, exactly; 1:
/// no better than answering 0. Nothing if `table` [n, D] has no even and odd p with p + k < n.
std::optional<double> offset_error(const torch::Tensor& table, int64_t offset);

/// Effective rank (Roy and Vetterli 2007): exp of the entropy of the singular values divided by their sum. Between 1
/// and min(n, D); 0 for a table of zeros.
double effective_rank(const torch::Tensor& table);

/// The pairs with each source's pieces, all but its end mark, in a random order.
std::vector<data::EncodedPair> shuffled_sources(std::vector<data::EncodedPair> pairs, data::Random random);

/// The probe. Metrics: `encodings.shuffle_loss_rise`, for every method: by how much the test loss (nats per token)
/// rises when the sources are shuffled (seed 1, whatever the run's); and for the encoder's table, where there is one,
/// `encodings.offset_error` (the largest over the offsets), `.effective_rank` and `.norm_ratio` (mean length of a row
/// over that of an embedded token). Rank and norms are of the rows that training reached.
std::unique_ptr<Probe> make_encodings(const ProbeInput& input);

}  // namespace attnlab::probes
