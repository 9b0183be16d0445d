#include "experiments/spec/describe.h"

#include "experiments/spec/metrics.h"

namespace attnlab::spec {
namespace {

// Far beyond every real model, near enough that products of sizes stay inside 64 bits.
constexpr double kWidest = 1'000'000;
constexpr double kMost = 1e12;

bool is_suffix(const std::string& text) {
  return !text.empty() && text.find('/') == std::string::npos;
}

bool is_device(const std::string& text) {
  if (text == "auto" || text == "cpu" || text == "cuda") return true;
  if (!text.starts_with("cuda:") || text.size() < 6 || text.size() > 8) return false;
  return text.find_first_not_of("0123456789", 5) == std::string::npos;
}

void describe_data(Table& table, DataConfig& data) {
  table.add("data.generator", &data.generator, "makes the sentence pairs; empty: they are read from files in data.dir")
      .one_of(generator_names());
  table.add(
      "data.dir", &data.dir,
      "folder of the parallel text files `stem.language` or `stem.language.gz`, relative to the working directory");
  const std::string suffix = "^[^/]+$";
  const std::string suffix_words = "a text that is not empty, without a slash";
  table.add("data.source", &data.source, "files: suffix of the source language")
      .matching(is_suffix, suffix, suffix_words);
  table.add("data.target", &data.target, "files: suffix of the target language")
      .matching(is_suffix, suffix, suffix_words);
  table.add("data.train", &data.train, "files: stem of the training files").not_empty();
  table.add("data.valid", &data.valid, "files: stem of the validation files").not_empty();
  table.add("data.test", &data.test, "files: stem of the test files").not_empty();
  table
      .add("data.train_pairs", &data.train_pairs,
           "training pairs: how many a generator makes (0 = 20000), at most how many are read from files (0 = all)")
      .at_least(0)
      .at_most(kMost);
  table.add("data.valid_pairs", &data.valid_pairs, "the same for validation (generators: 0 = 500)")
      .at_least(0)
      .at_most(kMost);
  table.add("data.test_pairs", &data.test_pairs, "the same for the test set (generators: 0 = 500)")
      .at_least(0)
      .at_most(kMost);
  table.add("data.seed", &data.seed, "generators: seed of the corpus (not of the run)").at_least(0);
  table.add("data.symbols", &data.symbols, "copy, reverse, sort: how many different symbols")
      .at_least(1)
      .at_most(100'000);
  table.add("data.min_length", &data.min_length, "copy, reverse, sort: shortest sequence, in symbols")
      .at_least(1)
      .at_most(100'000);
  table.add("data.max_length", &data.max_length, "copy, reverse, sort: longest sequence, in symbols")
      .at_least(1)
      .at_most(100'000);
  table
      .add("data.max_pieces", &data.max_pieces,
           "training pairs with more pieces on a side are dropped and counted; longer test sources are cropped with a "
           "warning")
      .at_least(1)
      .at_most(kWidest);
  table.add("data.bad_utf8", &data.bad_utf8, "files: what happens to a line that is no UTF-8, or has a NUL")
      .one_of({{"refuse", "an error with file and line"}, {"replace", "each bad byte becomes U+FFFD"}});
}

void describe_tokenizer(Table& table, TokenizerConfig& tokenizer) {
  table
      .add("tokenizer.type", &tokenizer.type,
           "SentencePiece model that is trained; of more than 1000000 training lines, on so many drawn from all")
      .one_of({{"bpe", "byte-pair encoding"},
               {"unigram", "unigram language model"},
               {"word", "words between blanks"},
               {"char", "single characters"}});
  table
      .add(
          "tokenizer.vocab_size", &tokenizer.vocab_size,
          "pieces at most, the four special ones included, enough for the characters of the text; where the text gives "
          "fewer, the number is recorded among the run's notes")
      .at_least(5)
      .at_most(kWidest);
  table.add("tokenizer.shared", &tokenizer.shared, "one model for both languages (true) or one each");
  table.add("tokenizer.model", &tokenizer.model, "an existing shared `.model` file; empty: train one");
  table.add("tokenizer.source_model", &tokenizer.source_model,
            "an existing `.model` of the source side, with tokenizer.target_model and shared = false");
  table.add("tokenizer.target_model", &tokenizer.target_model, "an existing `.model` of the target side");
  table
      .add("tokenizer.character_coverage", &tokenizer.character_coverage,
           "share of the text's characters that get a piece of their own")
      .at_least(0.98)
      .at_most(1);
  table.add("tokenizer.user_symbols", &tokenizer.user_symbols,
            "each becomes exactly one piece wherever it stands in the text");
}

void describe_positions(Table& table, const std::string& path, modules::PositionOptions& positions) {
  table.add(path + ".type", &positions.type, "how positions enter the stack").one_of(position_types());
  table
      .add(path + ".max_length", &positions.max_length,
           "learned, hybrid: rows of the learned table; other methods know no limit")
      .at_least(1)
      .at_most(kWidest);
  table.add(path + ".beyond", &positions.beyond, "learned, hybrid: what the learned table does past its end")
      .one_of({{"error", "an error that names the length"},
               {"clamp", "its last row is used"},
               {"interpolate",
                "encoder only: a longer sentence has the whole table stretched over it, linearly between the rows"}});
  table
      .add(path + ".layout", &positions.layout,
           "sinusoidal, hybrid, transformer_xl: where sines and cosines stand; rotary: which elements turn together")
      .one_of({{"interleaved", "sine and cosine in turn, of pos / base^(2i/D): the paper; rotary: neighbours"},
               {"halves", "all sines, then all cosines, of the same angles; rotary: i and i + d_k/2"},
               {"tensor2tensor",
                "all sines, then all cosines, of pos / base^(i/(D/2-1)): Tensor2Tensor and fairseq; not for rotary"}});
  table
      .add(path + ".base", &positions.base,
           "sinusoidal, hybrid, transformer_xl, rotary: ratio of the longest wavelength to the shortest")
      .more_than(1)
      .at_most(kMost);
  table
      .add(path + ".sinusoidal_width", &positions.sinusoidal_width,
           "hybrid: the first so many elements are sinusoids, an even number below D; 0 = D / 2, made even")
      .at_least(0)
      .at_most(kWidest);
  table
      .add(path + ".max_distance", &positions.max_distance,
           "shaw, t5: larger distances count as this one; 0 = the method's own (shaw 16, t5 128)")
      .at_least(0)
      .at_most(kWidest);
  table
      .add(path + ".buckets", &positions.buckets,
           "t5: so many learned numbers for a head; an encoder has half of them for each direction")
      .at_least(2)
      .at_most(kWidest);
}

void describe_dropout(Table& table, modules::DropoutOptions& dropout) {
  table.add("model.dropout.embedding", &dropout.embedding, "dropout of the sum of embedding and position")
      .at_least(0)
      .less_than(1);
  table.add("model.dropout.attention", &dropout.attention, "dropout of attention weights, after the softmax")
      .at_least(0)
      .less_than(1);
  table
      .add("model.dropout.activation", &dropout.activation,
           "dropout inside the feed-forward network, after the activation")
      .at_least(0)
      .less_than(1);
  table.add("model.dropout.residual", &dropout.residual, "dropout of each sub-layer's output, before it is added")
      .at_least(0)
      .less_than(1);
}

void describe_model(Table& table, modules::TransformerOptions& model) {
  table.add("model.d_model", &model.d_model, "D, the width of the residual stream").at_least(1).at_most(kWidest);
  table.add("model.heads", &model.heads, "H, attention heads of every layer").at_least(1).at_most(kWidest);
  table.add("model.d_k", &model.d_k, "width of queries and keys of one head; 0 = D / H").at_least(0).at_most(kWidest);
  table.add("model.d_v", &model.d_v, "width of values of one head; 0 = D / H").at_least(0).at_most(kWidest);
  table.add("model.d_ff", &model.d_ff, "inner width of the feed-forward network").at_least(1).at_most(kWidest);
  table.add("model.encoder_layers", &model.encoder_layers, "N of the encoder").at_least(1).at_most(1000);
  table.add("model.decoder_layers", &model.decoder_layers, "N of the decoder").at_least(1).at_most(1000);
  table.add("model.activation", &model.activation, "between the two matrices of the feed-forward network")
      .one_of({{"relu", "max(0, x): the paper, section 3.3"},
               {"gelu", "x times the normal distribution function (exact)"}});
  table.add("model.attention_bias", &model.attention_bias, "biases in W_Q, W_K, W_V and W_O (the paper has none)");
  table.add("model.tying", &model.tying, "which embedding matrices are one")
      .one_of(
          {{"three_way", "source, target and output share one matrix: the paper, section 3.4; needs one vocabulary"},
           {"two_way", "target and output share one"},
           {"none", "three matrices"}});
  table.add("model.scale_embeddings", &model.scale_embeddings, "multiply embeddings by the root of D (section 3.4)");
  table.add("model.attention", &model.attention, "kernel that computes attention").one_of(attention_kernels());
  table.add("model.norm.type", &model.norm.type, "which norm").one_of(norm_types());
  table.add("model.norm.placement", &model.norm.placement, "how sub-layer, residual and norm are put together")
      .one_of(norm_placements());
  table
      .add("model.norm.epsilon", &model.norm.epsilon,
           "added to the variance (rms_norm: the mean square); scale_norm: the least length")
      .more_than(0)
      .at_most(1);
  table
      .add("model.norm.residual_scale", &model.norm.residual_scale,
           "x is multiplied by it where a sub-layer's output is added (DeepNorm's alpha); 0 = the placement's own: by "
           "depth for deep_norm, 1 for the others")
      .at_least(0)
      .at_most(1000);
  table
      .add("model.norm.initial_scale", &model.norm.initial_scale,
           "the start of W_V, W_O and the feed-forward matrices is multiplied by it (DeepNorm's beta); 0 = the "
           "placement's own, as above")
      .at_least(0)
      .at_most(1000);
  describe_positions(table, "model.encoder_positions", model.encoder_positions);
  describe_positions(table, "model.decoder_positions", model.decoder_positions);
  describe_dropout(table, model.dropout);
  table.add_shorthand("model.layers", {"model.encoder_layers", "model.decoder_layers"}, "both numbers of layers");
  table.add_shorthand("model.positions", {"model.encoder_positions", "model.decoder_positions"},
                      "the positions of both stacks");
  table.add_shorthand(
      "model.dropout",
      {"model.dropout.embedding", "model.dropout.attention", "model.dropout.activation", "model.dropout.residual"},
      "a number: all four rates");
}

void describe_optimizer(Table& table, OptimizerConfig& optimizer) {
  table.add("training.optimizer.type", &optimizer.type, "how gradients change weights")
      .one_of({{"adam", "Adam; weight decay is added to the gradient"}, {"adamw", "Adam with decoupled weight decay"}});
  table.add("training.optimizer.beta1", &optimizer.beta1, "decay of the first moment").at_least(0).less_than(1);
  table.add("training.optimizer.beta2", &optimizer.beta2, "decay of the second moment").at_least(0).less_than(1);
  table.add("training.optimizer.epsilon", &optimizer.epsilon, "added to the root of the second moment")
      .more_than(0)
      .at_most(1);
  table.add("training.optimizer.weight_decay", &optimizer.weight_decay, "weight decay; 0 = none")
      .at_least(0)
      .at_most(1e6);
}

void describe_schedule(Table& table, ScheduleConfig& schedule) {
  table.add("training.schedule.type", &schedule.type, "learning rate of step t, from 1")
      .one_of({{"noam", "factor * D^-0.5 * min(t^-0.5, t * warmup^-1.5): the paper, section 5.3"},
               {"inverse_sqrt", "linear rise to the peak, then peak * sqrt(warmup / t)"},
               {"constant", "linear rise to the peak, then the peak"},
               {"linear", "linear rise to the peak, then a straight line to final_rate at the last step"},
               {"cosine", "linear rise to the peak, then half a cosine to final_rate at the last step"}});
  table.add("training.schedule.factor", &schedule.factor, "noam: factor of the whole formula")
      .more_than(0)
      .at_most(1e9);
  table.add("training.schedule.peak", &schedule.peak, "all but noam: the rate at the end of the warm-up")
      .more_than(0)
      .at_most(1e9);
  table
      .add("training.schedule.warmup", &schedule.warmup,
           "steps of linear rise; 0 starts at the peak (noam: t^-0.5 from step 1)")
      .at_least(0)
      .at_most(kMost);
  table.add("training.schedule.final_rate", &schedule.final_rate, "linear, cosine: the rate at the last step")
      .at_least(0)
      .at_most(1e9);
}

void describe_training(Table& table, TrainingConfig& training) {
  table.add("training.steps", &training.steps, "optimizer steps").at_least(1).at_most(kMost);
  table.add("training.batch_tokens", &training.batch_tokens, "target tokens of one batch, padding included")
      .at_least(1)
      .at_most(kMost);
  table
      .add("training.accumulate", &training.accumulate,
           "batches of one step; their loss is normalised by all their tokens together")
      .at_least(1)
      .at_most(kWidest);
  describe_optimizer(table, training.optimizer);
  describe_schedule(table, training.schedule);
  table.add("training.label_smoothing", &training.label_smoothing, "probability mass taken from the target")
      .at_least(0)
      .less_than(1);
  table.add("training.label_smoothing_rule", &training.label_smoothing_rule, "where that mass goes")
      .one_of({{"vocab", "evenly over all V pieces"},
               {"others", "over the V-1 that are not the target"},
               {"others_no_pad", "over the V-2 that are neither target nor padding"}});
  table.add("training.clip_norm", &training.clip_norm, "largest gradient norm; 0 = no clipping")
      .at_least(0)
      .at_most(1e9);
  table.add("training.precision", &training.precision, "of matrix products, and of attention on a GPU")
      .one_of({{"fp32", "32-bit floats"}, {"bf16", "products of bfloat16 numbers; weights and optimizer stay fp32"}});
  table.add("training.device", &training.device, "where it runs: `auto` is the first CUDA device, otherwise the CPU")
      .matching(is_device, "^(auto|cpu|cuda(:[0-9]{1,3})?)$", "one of auto, cpu, cuda, cuda:N");
  table.add("training.validate_every", &training.validate_every, "steps between validations; 0 = only at the end")
      .at_least(0)
      .at_most(kMost);
  table
      .add("training.valid_bleu_sentences", &training.valid_bleu_sentences,
           "greedy BLEU of so many validation sentences at each validation; 0 = none")
      .at_least(0)
      .at_most(kMost);
  table.add("training.patience", &training.patience, "stop after so many validations without a lower loss; 0 = never")
      .at_least(0)
      .at_most(kMost);
  table
      .add("training.checkpoint_every", &training.checkpoint_every,
           "steps between states to resume from; 0 = at validations and at the end")
      .at_least(0)
      .at_most(kMost);
  table
      .add("training.average_last", &training.average_last,
           "average the weights of the last so many validations; 0 or 1 = no averaging")
      .at_least(0)
      .at_most(1000);
  table.add("training.evaluate", &training.evaluate, "weights that are tested")
      .one_of({{"best", "those of the lowest validation loss"},
               {"last", "those of the last step"},
               {"average", "the mean of the last average_last validations"}});
}

void describe_decoding(Table& table, DecodingConfig& decoding) {
  table.add("decoding.beam", &decoding.beam, "hypotheses kept; 1 = greedy").at_least(1).at_most(1000);
  table.add("decoding.length_penalty", &decoding.length_penalty, "what a hypothesis's log-probability is divided by")
      .one_of(
          {{"gnmt", "((5 + |Y|) / 6)^alpha: the paper, section 6.1"}, {"average", "|Y|^alpha"}, {"none", "nothing"}});
  table.add("decoding.alpha", &decoding.alpha, "exponent of the length penalty").at_least(0).at_most(100);
  table
      .add("decoding.max_length_ratio", &decoding.max_length_ratio,
           "at most ratio * source length + max_length_extra tokens, the end mark included; at least one")
      .at_least(0)
      .at_most(1000);
  table.add("decoding.max_length_extra", &decoding.max_length_extra, "see decoding.max_length_ratio")
      .at_least(0)
      .at_most(kWidest);
  table
      .add("decoding.min_length", &decoding.min_length,
           "tokens before the end mark is allowed; the largest length beats it")
      .at_least(0)
      .at_most(kWidest);
  table.add("decoding.batch_sentences", &decoding.batch_sentences, "sentences decoded together")
      .at_least(1)
      .at_most(kWidest);
  table
      .add("decoding.allow_unk", &decoding.allow_unk,
           "whether a translation may have the unknown piece, which reads \"⁇\"; pad, bos and other pieces without "
           "text are never candidates")
      .added();
}

void describe_evaluation(Table& table, EvaluationConfig& evaluation) {
  table.add("evaluation.metrics", &evaluation.metrics, "scores of the test set").one_of(score_names()).not_empty();
  table.add("evaluation.bleu_tokenize", &evaluation.bleu_tokenize, "sacreBLEU's tokenizer for BLEU")
      .one_of(bleu_tokenizers());
  table.add("evaluation.lowercase", &evaluation.lowercase,
            "score lower-cased text; TER keeps case unless this is set, `attnlab score` ignores it unless "
            "--ter-case-sensitive is given");
  table.add("evaluation.probes", &evaluation.probes, "what else is measured, into the run's probes/ and the results")
      .one_of(
          {{"lengths", "loss, accuracy and scores by position and length, up to 4 times the training length"},
           {"encodings", "similarity, offset probe, rank and norms of position encodings; loss of shuffled sources"},
           {"gradients", "gradient norms by layer and sub-layer, at initialisation and after the warm-up"},
           {"chance", "validation loss of a guess that knows only how frequent each piece is"}});
}

void describe_inspection(Table& table, InspectionConfig& inspection) {
  table
      .add("inspection.every", &inspection.every,
           "steps between two files of attention in the run's attention/ (step-<n>.safetensors); 0 = none")
      .at_least(0)
      .at_most(kMost);
  table
      .add("inspection.sentences", &inspection.sentences,
           "whose attention: the first so many validation pairs, with their given targets")
      .at_least(1)
      .at_most(1000);
  table.add("inspection.analyse", &inspection.analyse,
            "after training, the numbers of every head over the test set in the run's attention/ (heads.csv, ...)");
}

}  // namespace

Table describe(RunConfig& config) {
  Table table;
  table.add("seed", &config.seed, "of initialisation, order of the data and dropout").at_least(0);
  describe_data(table, config.data);
  describe_tokenizer(table, config.tokenizer);
  describe_model(table, config.model);
  describe_training(table, config.training);
  describe_decoding(table, config.decoding);
  describe_evaluation(table, config.evaluation);
  describe_inspection(table, config.inspection);
  return table;
}

}  // namespace attnlab::spec
