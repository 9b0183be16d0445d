#pragma once
/// Everything that one run depends on, typed, with every default. It is read from JSON by `read.h` and described key by
/// key in `describe.h`; the member's name is the JSON key.

#include <cstdint>
#include <string>
#include <vector>

#include "modules/options.h"

namespace attnlab::spec {

/// Where sentence pairs come from: a generator, or parallel text files `dir/stem.language[.gz]`.
struct DataConfig {
  std::string generator;        ///< `copy`, `reverse`, `sort` or `pronouns`; empty: files
  std::string dir;              ///< folder of the parallel text
  std::string source = "en";    ///< file suffix of the source language
  std::string target = "de";    ///< file suffix of the target language
  std::string train = "train";  ///< stem of the training files
  std::string valid = "val";    ///< stem of the validation files
  std::string test = "test";    ///< stem of the test files
  int64_t train_pairs = 0;      ///< generators: how many (0 = 20000); files: at most this many (0 = all)
  int64_t valid_pairs = 0;      ///< generators: how many (0 = 500); files: at most this many (0 = all)
  int64_t test_pairs = 0;       ///< generators: how many (0 = 500); files: at most this many (0 = all)
  int64_t seed = 1;             ///< of the generator (not of the run)
  int64_t symbols = 20;         ///< copy, reverse, sort: how many different symbols
  int64_t min_length = 3;       ///< copy, reverse, sort: shortest sequence, in symbols
  int64_t max_length = 12;      ///< copy, reverse, sort: longest sequence, in symbols
  int64_t max_pieces = 256;     ///< training pairs with more pieces on either side are dropped and counted; longer test
                                ///< sources are cropped with a warning
  std::string bad_utf8 = "refuse";  ///< `refuse` with the line number, or `replace` by U+FFFD
};

/// SentencePiece: trained from the training text, or given.
struct TokenizerConfig {
  std::string type = "bpe";               ///< `bpe`, `unigram`, `word` or `char`
  int64_t vocab_size = 8000;              ///< pieces, with the four special ones
  bool shared = true;                     ///< one model for both sides, or one each
  std::string model;                      ///< an existing shared `.model` file; empty: train
  std::string source_model;               ///< an existing `.model` of the source side (with target_model)
  std::string target_model;               ///< an existing `.model` of the target side
  double character_coverage = 1.0;        ///< share of characters that get a piece
  std::vector<std::string> user_symbols;  ///< each becomes exactly one piece
};

struct OptimizerConfig {
  std::string type = "adam";  ///< `adam` or `adamw` (decoupled weight decay)
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double weight_decay = 0.0;
};

/// The learning rate of step t, from 1.
struct ScheduleConfig {
  std::string type = "noam";  ///< `noam` (section 5.3), `inverse_sqrt`, `constant`, `linear`, `cosine`
  double factor = 1.0;        ///< noam: factor * D^-0.5 * min(t^-0.5, t * warmup^-1.5)
  double peak = 1e-3;         ///< the others: the rate at the end of the warm-up
  int64_t warmup = 4000;      ///< steps of linear rise; 0 starts at the peak (noam: t^-0.5 from the first step)
  double final_rate = 0.0;    ///< linear, cosine: the rate at the last step
};

struct TrainingConfig {
  int64_t steps = 1000;         ///< optimizer steps
  int64_t batch_tokens = 4096;  ///< target tokens of one batch, padding included
  int64_t accumulate = 1;       ///< batches of one step
  OptimizerConfig optimizer;
  ScheduleConfig schedule;
  double label_smoothing = 0.1;  ///< mass taken from the target
  std::string label_smoothing_rule =
      "vocab";             ///< spread over: `vocab` (all V), `others` (V-1, not the target), `others_no_pad` (V-2)
  double clip_norm = 0.0;  ///< largest gradient norm; 0 = no clipping
  std::string precision = "fp32";    ///< `fp32` or `bf16` (autocast)
  std::string device = "auto";       ///< `cpu`, `cuda`, `cuda:N`, or `auto`
  int64_t validate_every = 0;        ///< steps; 0 = only at the end
  int64_t valid_bleu_sentences = 0;  ///< BLEU (greedy) of so many validation sentences at each validation; 0 = none
  int64_t patience = 0;              ///< stop after so many validations without a better loss; 0 = never
  int64_t checkpoint_every = 0;      ///< steps between states to resume from; 0 = at validations and at the end
  int64_t average_last = 0;          ///< average the weights of the last so many validations (0, 1 = no averaging)
  std::string evaluate = "best";     ///< weights that are tested: `best` (validation loss), `last` or `average`
};

struct DecodingConfig {
  int64_t beam = 4;                     ///< 1 = greedy
  std::string length_penalty = "gnmt";  ///< `gnmt` ((5+|Y|)/6)^alpha, `average` |Y|^alpha, `none`
  double alpha = 0.6;
  double max_length_ratio = 1.0;  ///< at most ratio * source length + extra tokens
  int64_t max_length_extra = 50;
  int64_t min_length = 0;         ///< tokens before the end mark is allowed; the largest length beats it
  int64_t batch_sentences = 128;  ///< sentences decoded together
  bool allow_unk = true;  ///< whether a translation may have the unknown piece, as the references of training may
};

struct EvaluationConfig {
  std::vector<std::string> metrics = {"bleu"};  ///< of the test set: names of `score_names()`
  std::string bleu_tokenize = "13a";            ///< sacreBLEU's tokenizer
  bool lowercase = false;                       ///< score lower-cased text
  std::vector<std::string> probes;              ///< what else is measured of the trained model: names of the probes
};

/// What is written of a model's attention.
struct InspectionConfig {
  int64_t every = 0;      ///< steps between two files of attention during training; 0 = none
  int64_t sentences = 4;  ///< whose attention: the first so many validation pairs, with their given targets
  bool analyse = false;   ///< after training: the numbers of every head over the test set, in the run's attention/
};

/// One run.
struct RunConfig {
  int64_t seed = 1;  ///< of initialisation, order and dropout
  DataConfig data;
  TokenizerConfig tokenizer;
  modules::TransformerOptions model;
  TrainingConfig training;
  DecodingConfig decoding;
  EvaluationConfig evaluation;
  InspectionConfig inspection;
};

}  // namespace attnlab::spec
