#include "experiments/spec/validate.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "modules/options_check.h"
#include "modules/positions/registry.h"
#include "support/error.h"
#include "tokenizer/train.h"

namespace attnlab::spec {
namespace {

/// Collects sentences.
class Problems {
 public:
  template <typename... Arguments>
  void add(bool wrong, fmt::format_string<Arguments...> sentence, Arguments&&... arguments) {
    if (wrong) sentences_.push_back(fmt::format(sentence, std::forward<Arguments>(arguments)...));
  }
  std::vector<std::string> take() { return std::move(sentences_); }

 private:
  std::vector<std::string> sentences_;
};

/// A generated corpus lives in memory.
constexpr int64_t kMostGeneratedPairs = 10'000'000;

void check_data(const DataConfig& data, Problems& found) {
  const bool generated = !data.generator.empty();
  found.add(
      !generated && data.dir.empty(),
      "data: needs data.generator (a built-in corpus, e.g. \"pronouns\") or data.dir (a folder of parallel text)");
  found.add(generated && !data.dir.empty(),
            "data.dir: \"{}\" cannot be used together with data.generator \"{}\"; remove one", data.dir,
            data.generator);
  for (const auto& [name, pairs] : {std::pair("train", data.train_pairs), std::pair("valid", data.valid_pairs),
                                    std::pair("test", data.test_pairs)}) {
    found.add(generated && pairs > kMostGeneratedPairs, "data.{}_pairs: {} is more than a generator makes; at most {}",
              name, pairs, kMostGeneratedPairs);
  }
  found.add(!generated && data.source == data.target,
            "data.target: is \"{}\" like data.source; they need different suffixes", data.target);
  found.add(data.min_length > data.max_length, "data.min_length: {} is larger than data.max_length {}", data.min_length,
            data.max_length);
}

void check_training_of(const TokenizerConfig& config, Problems& found) {
  try {
    tokenizer::check(
        {tokenizer::model_type(config.type), config.vocab_size, config.character_coverage, config.user_symbols});
  } catch (const Error& problem) {
    found.add(true, "{}", problem.what());
  }
}

void check_tokenizer(const TokenizerConfig& tokenizer, Problems& found) {
  const bool pair = !tokenizer.source_model.empty() || !tokenizer.target_model.empty();
  found.add(tokenizer.source_model.empty() != tokenizer.target_model.empty(),
            "tokenizer.{}: the models of the two sides are given together; tokenizer.{} is missing",
            tokenizer.source_model.empty() ? "target_model" : "source_model",
            tokenizer.source_model.empty() ? "source_model" : "target_model");
  found.add(
      pair && !tokenizer.model.empty(),
      "tokenizer.model: one shared model and tokenizer.source_model, .target_model exclude each other; remove one");
  found.add(pair && tokenizer.shared,
            "tokenizer.shared: set it to false when each side has a model (source_model, target_model)");
  found.add(!tokenizer.model.empty() && !tokenizer.shared,
            "tokenizer.shared: a given tokenizer.model serves both sides; set it to true, or give source_model and "
            "target_model");
  const bool given = pair || !tokenizer.model.empty();
  found.add(given && !tokenizer.user_symbols.empty(),
            "tokenizer.user_symbols: symbols cannot be added to a given model; train one, or remove them");
  if (!given) check_training_of(tokenizer, found);
  const auto least = static_cast<int64_t>(tokenizer.user_symbols.size()) + 5;
  found.add(!given && tokenizer.vocab_size < least,
            "tokenizer.vocab_size: {} leaves no room for 4 special pieces and {} user_symbols; at least {} is needed",
            tokenizer.vocab_size, tokenizer.user_symbols.size(), least);
}

/// Positions that the encoder can meet: the pieces and the end mark.
int64_t longest_source(const RunConfig& config) {
  return config.data.max_pieces + 1;
}

/// Positions that the decoder can meet: in training as the encoder, in decoding up to the maximal length.
int64_t longest_target(const RunConfig& config) {
  const auto decoded =
      static_cast<int64_t>(config.decoding.max_length_ratio * static_cast<double>(longest_source(config)));
  return std::max(longest_source(config), decoded + config.decoding.max_length_extra + 1);
}

void check_model(const RunConfig& config, Problems& found) {
  const modules::TransformerOptions& model = config.model;
  for (const std::string& problem : modules::problems(model)) found.add(true, "model.{}", problem);
  for (const auto& [name, positions] :
       {std::pair("encoder", &model.encoder_positions), std::pair("decoder", &model.decoder_positions)}) {
    const modules::PositionVariant* method = modules::find_positions(positions->type);
    const bool bounded = method != nullptr && method->traits.bounded && positions->beyond == "error";
    const bool encoder = std::string_view(name) == "encoder";
    const int64_t longest = encoder ? longest_source(config) : longest_target(config);
    found.add(bounded && positions->max_length < longest,
              "model.{}_positions.max_length: a table of {} positions, but up to {} are needed (data.max_pieces {}, "
              "decoding.max_length_ratio and _extra); raise it, lower those, or set beyond to {}",
              name, positions->max_length, longest, config.data.max_pieces,
              encoder ? "\"clamp\" or \"interpolate\"" : "\"clamp\"");
  }
  found.add(
      model.tying == "three_way" && !config.tokenizer.shared,
      "model.tying: \"three_way\" needs one vocabulary; set tokenizer.shared to true, or use \"two_way\" or \"none\"");
}

void check_training(const TrainingConfig& training, Problems& found) {
  found.add(training.patience > 0 && training.validate_every == 0,
            "training.patience: {} needs validations to count; set training.validate_every", training.patience);
  found.add(training.evaluate == "average" && training.average_last < 2,
            "training.evaluate: \"average\" needs training.average_last of at least 2, it is {}",
            training.average_last);
  found.add(
      training.average_last >= 2 && training.validate_every == 0,
      "training.average_last: {} validations are to be averaged, but training.validate_every is 0 (one at the end)",
      training.average_last);
  found.add(
      training.validate_every > 0 && training.average_last >= 2 &&
          training.average_last > training.steps / training.validate_every + 1,
      "training.average_last: {} is more than the validations of the run (training.steps / training.validate_every)",
      training.average_last);
  const bool falls = training.schedule.type == "linear" || training.schedule.type == "cosine";
  found.add(falls && training.schedule.final_rate > training.schedule.peak,
            "training.schedule.final_rate: {} is above training.schedule.peak {}", training.schedule.final_rate,
            training.schedule.peak);
}

void check_decoding(const DecodingConfig& decoding, Problems& found) {
  found.add(decoding.max_length_ratio == 0 && decoding.max_length_extra == 0,
            "decoding.max_length_extra: 0 together with decoding.max_length_ratio 0 allows no token at all; raise one");
  found.add(decoding.max_length_ratio == 0 && decoding.min_length > decoding.max_length_extra,
            "decoding.min_length: {} is more than decoding.max_length_extra {} allows", decoding.min_length,
            decoding.max_length_extra);
}

void check_evaluation(const EvaluationConfig& evaluation, Problems& found) {
  const std::set<std::string> different(evaluation.probes.begin(), evaluation.probes.end());
  found.add(different.size() < evaluation.probes.size(), "evaluation.probes: a name stands twice; remove one");
}

}  // namespace

std::vector<std::string> problems(const RunConfig& config) {
  Problems found;
  check_data(config.data, found);
  check_tokenizer(config.tokenizer, found);
  check_model(config, found);
  check_training(config.training, found);
  check_decoding(config.decoding, found);
  check_evaluation(config.evaluation, found);
  return found.take();
}

std::vector<std::string> problems(const DecodingConfig& decoding) {
  Problems found;
  check_decoding(decoding, found);
  return found.take();
}

}  // namespace attnlab::spec
