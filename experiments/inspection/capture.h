#pragma once
/// Forced passes with a recorder: sentences in, attention weights out, one sentence after the other.

#include <functional>
#include <vector>

#include "experiments/inspection/maps.h"
#include "experiments/inspection/selection.h"
#include "modules/transformer.h"

namespace attnlab::inspection {

/// Receives each sentence once, in order.
using MapsSink = std::function<void(const SentenceMaps&)>;

/// Bytes of float32 weights that one sentence yields.
int64_t weight_bytes(const Sentence& sentence, const Selection& selection, const modules::TransformerOptions& model);

/// Runs the model over the sentences in evaluation mode, without dropout and without gradients, and hands each one's
/// weights to `sink`. Consecutive sentences share a batch of at most `batch_bytes` of weights, so that memory does not
/// grow with their number; a mode other than evaluation is restored afterwards. The weights are those of what the model
/// computes anyway. Throws attnlab::Error if the model recorded a chosen layer not at all, because its attention kernel
/// has no weights.
void capture(modules::Transformer& model, const std::vector<Sentence>& sentences, const Selection& selection,
             const MapsSink& sink, int64_t batch_bytes = int64_t{64} << 20);

}  // namespace attnlab::inspection
