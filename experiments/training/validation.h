#pragma once
/// The scores of a model on the validation pairs.

#include "experiments/data/dataset.h"
#include "experiments/spec/run_config.h"
#include "experiments/training/trainer.h"
#include "modules/transformer.h"

namespace attnlab::training {

/// Loss and perplexity of all validation pairs and, if `training.valid_bleu_sentences` asks for it, BLEU of a greedy
/// translation of the first ones against their raw text, with the tokenization and case of the test set's BLEU. float32
/// throughout.
ValidationReport validate(const spec::RunConfig& config, const data::Dataset& dataset, modules::Transformer& model,
                          int64_t step);

}  // namespace attnlab::training
