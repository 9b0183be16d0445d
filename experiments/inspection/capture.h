#pragma once
/// Forced passes with a recorder: sentences in, attention weights out, one sentence after the other.

#include <functional>
#include <vector>

#include "experiments/inspection/maps.h"
#include "experiments/inspection/selection.h"
#include "modules/transformer.h"

namespace attnlab::inspection {

/// Bytes of float32 weights that one sentence yields.
int64_t weight_bytes(const Sentence& sentence, const Selection& selection, const modules::TransformerOptions& model);

/// Runs the model over the sentences in evaluation mode, without dropout and without gradients, and hands the weights
/// to `sink`. Consecutive sentences share a batch of at most `batch_bytes` of weights; a sentence that has more is
/// passed through the decoder once for each kind, and its layers go to the sink as they are computed. A mode other than
/// evaluation is restored afterwards. The weights are those of what the model computes anyway. Throws attnlab::Error if
/// the model recorded a chosen layer not at all, because its attention kernel has no weights.
void capture(modules::Transformer& model, const std::vector<Sentence>& sentences, const Selection& selection,
             MapsSink& sink, int64_t batch_bytes = int64_t{64} << 20);

/// The same for one who looks at whole sentences: each is held with all its weights.
void capture(modules::Transformer& model, const std::vector<Sentence>& sentences, const Selection& selection,
             const std::function<void(const SentenceMaps&)>& look, int64_t batch_bytes = int64_t{64} << 20);

}  // namespace attnlab::inspection
