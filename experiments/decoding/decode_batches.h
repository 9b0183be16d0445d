#pragma once
/// Which sentences are decoded together.

#include <cstdint>
#include <vector>

namespace attnlab::decoding {

/// Sentences by number, longest first (ties in their order), cut so that a batch has at most `sentences` of them and at
/// most `sentences` * 128 padded source tokens (one longer sentence is a batch of its own): a single very long line
/// makes its own batch small instead of making a wide one.
std::vector<std::vector<int64_t>> decode_batches(const std::vector<int64_t>& lengths, int64_t sentences);

/// Sentences by number, longest first, cut so that rows * longest <= `tokens`.
std::vector<std::vector<int64_t>> token_batches(const std::vector<int64_t>& lengths, int64_t tokens);

}  // namespace attnlab::decoding
