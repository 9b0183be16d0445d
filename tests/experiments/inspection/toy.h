#pragma once
/// Small sentences and models for the tests of inspection.

#include <string>
#include <vector>

#include "experiments/inspection/capture.h"
#include "experiments/inspection/writer.h"
#include "modules/torch.h"
#include "modules/transformer.h"

namespace attnlab::inspection::toy {

/// A sentence of made-up pieces: source ids 10, 11, ...; target ids 30, 31, ...; every piece is a word of its own.
Sentence sentence(int64_t id, int64_t source_pieces, int64_t target_pieces);

/// Two layers, four heads, width 16, 60 pieces on both sides; random weights of seed 5, in evaluation mode.
modules::TransformerOptions options();
modules::Transformer model(const modules::TransformerOptions& options);

/// A model of one layer and two heads without words, only positions, in whose encoder head 0 looks at the previous
/// token and head 1 at the next one: W_Q turns the sinusoids by one position, W_K leaves them (so q.k is largest at
/// that offset).
modules::Transformer looks_at_neighbours();

/// A plan over all heads.
ExportPlan plan(std::vector<Sentence> sentences, const modules::TransformerOptions& options);

/// Hands a sentence to a sink, a kind at a time.
void write(MapsSink& sink, const SentenceMaps& maps);

/// Matrices with a leading [layers = 1, heads = 1].
KindMaps maps(AttentionKind kind, const torch::Tensor& matrix);

}  // namespace attnlab::inspection::toy
