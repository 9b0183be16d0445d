#include "tokenizer/train.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <set>
#include <unordered_map>

#include <fmt/format.h>
#include <sentencepiece_trainer.h>

#include "support/error.h"
#include "support/files.h"
#include "tokenizer/blanks.h"
#include "tokenizer/reserved.h"
#include "tokenizer/utf8.h"

namespace attnlab::tokenizer {
namespace {

constexpr std::array<std::string_view, 4> kSpecials = {"<pad>", "<unk>", "<s>", "</s>"};
constexpr std::array<std::string_view, 4> kTypeNames = {"bpe", "unigram", "word", "char"};

std::string_view name_of(ModelType type) {
  return kTypeNames[static_cast<size_t>(type)];
}

bool takes_exact_size(ModelType type) {
  return type == ModelType::bpe || type == ModelType::unigram;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// A line as the trainer may see it, empty if there is nothing to learn from. A piece spelt like a control symbol would
/// clash with it, so such text is torn apart; a NUL would be an impossible piece; a line with the unknown sign would be
/// left out whole.
std::string trainable(std::string_view line) {
  std::string text(line);
  std::replace(text.begin(), text.end(), '\0', ' ');
  replace_all(text, kUnknownSign, " ");
  text = with_plain_blanks(text);
  if (text.find('<') == std::string::npos) return text;
  for (const std::string_view special : kSpecials) replace_all(text, special, "< " + std::string(special.substr(1)));
  return text;
}

/// Feeds lines one at a time, so that there is no second copy of the text here.
class Lines : public sentencepiece::SentenceIterator {
 public:
  explicit Lines(const std::vector<std::string_view>& lines) : lines_(lines) { settle(); }
  bool done() const override { return at_ == lines_.size(); }
  void Next() override {
    ++at_;
    settle();
  }
  const std::string& value() const override { return value_; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  void settle() {
    for (; !done(); ++at_) {
      if (lines_[at_].size() > kLongestTrainingLine) continue;
      value_ = trainable(lines_[at_]);
      if (!value_.empty()) return;
    }
  }

  const std::vector<std::string_view>& lines_;
  size_t at_ = 0;
  std::string value_;
};

void check_symbol(const std::string& symbol, std::set<std::string>& seen) {
  const auto refuse = [&](std::string_view reason) {
    throw Error(fmt::format("tokenizer.user_symbols: \"{}\" {}", with_invalid_utf8_replaced(symbol), reason));
  };
  if (symbol.empty()) refuse("is empty; remove it");
  if (symbol.front() == ' ' || symbol.back() == ' ') refuse("begins or ends with a blank; remove the blank");
  if (std::any_of(symbol.begin(), symbol.end(), [](unsigned char c) { return c < 0x20; }))
    refuse("has a control character (a line end, tab or NUL) in it");
  if (first_invalid_utf8(symbol) != std::string::npos) refuse("is not valid UTF-8");
  if (symbol.find("  ") != std::string::npos) refuse("has two blanks side by side, which are read as one; remove one");
  if (symbol.find("\u2581") != std::string::npos) refuse("has U+2581 in it, which stands for a blank; write a blank");
  if (std::find(kSpecials.begin(), kSpecials.end(), symbol) != kSpecials.end()) refuse("is a special symbol already");
  if (!seen.insert(symbol).second) refuse("is there twice; remove one");
}

/// The symbols as one line of CSV, quoted, with blanks as SentencePiece writes them.
std::string symbols_as_csv(const std::vector<std::string>& symbols) {
  std::string csv;
  for (std::string symbol : symbols) {
    replace_all(symbol, "\"", "\"\"");
    replace_all(symbol, " ", "\u2581");
    csv += fmt::format("{}\"{}\"", csv.empty() ? "" : ",", symbol);
  }
  return csv;
}

std::unordered_map<std::string, std::string> arguments(const TrainOptions& options) {
  std::unordered_map<std::string, std::string> arguments = {
      {"model_type", std::string(name_of(options.type))},
      {"vocab_size", std::to_string(options.vocab_size)},
      {"hard_vocab_limit", takes_exact_size(options.type) ? "true" : "false"},
      {"character_coverage", fmt::format("{}", options.character_coverage)},
      {"pad_id", "0"},
      {"unk_id", "1"},
      {"bos_id", "2"},
      {"eos_id", "3"},
      // The default is " ⁇ ", whose blanks would multiply with each round of encoding and decoding.
      {"unk_surface", options.type == ModelType::word ? " \u2047" : "\u2047"},
      {"normalization_rule_name", "identity"},
      {"remove_extra_whitespaces", "false"},
      {"max_sentence_length", std::to_string(2 * kLongestTrainingLine)},
      // The unigram trainer adds floats per thread: the number is part of the result.
      {"num_threads", "2"},
      {"minloglevel", "9"},
  };
  if (!options.user_symbols.empty()) arguments["user_defined_symbols"] = symbols_as_csv(options.user_symbols);
  return arguments;
}

/// The number of pieces that the text gives, if SentencePiece's message is that it does not give as many as were asked
/// for.
std::optional<int64_t> largest_vocabulary(const std::string& message) {
  std::smatch match;
  if (!std::regex_search(message, match, std::regex(R"(set it to a value <= (\d+))"))) return std::nullopt;
  return std::stoll(match[1]);
}

/// SentencePiece's message in terms of our keys.
std::string explain(const std::string& message, const TrainOptions& options) {
  std::smatch match;
  if (std::regex_search(message, match, std::regex(R"(smaller than required_chars\. \d+ vs (\d+))")))
    return fmt::format(
        "tokenizer.vocab_size: {} cannot hold the characters of this text; the smallest value that works is {} (or "
        "lower tokenizer.character_coverage)",
        options.vocab_size, match[1].str());
  return fmt::format("SentencePiece cannot train a {} model: {}", name_of(options.type), message);
}

}  // namespace

ModelType model_type(std::string_view name) {
  const auto* const found = std::find(kTypeNames.begin(), kTypeNames.end(), name);
  if (found == kTypeNames.end())
    throw Error(fmt::format("tokenizer.type: bpe, unigram, word or char was expected, '{}' was given", name));
  return static_cast<ModelType>(found - kTypeNames.begin());
}

void check(const TrainOptions& options) {
  if (options.vocab_size < 5 || options.vocab_size > 1'000'000)
    throw Error(fmt::format("tokenizer.vocab_size: 5 to 1000000 is possible, {} was given", options.vocab_size));
  if (!(options.character_coverage >= 0.98 && options.character_coverage <= 1.0))
    throw Error(
        fmt::format("tokenizer.character_coverage: 0.98 to 1 is possible, {} was given", options.character_coverage));
  if (options.type == ModelType::word && !options.user_symbols.empty())
    throw Error(
        "tokenizer.user_symbols: a word model has no use for them (each word is one piece already); take bpe, unigram "
        "or char");
  std::set<std::string> seen;
  for (const std::string& symbol : options.user_symbols) check_symbol(symbol, seen);
}

std::string train(const std::vector<std::string_view>& lines, const TrainOptions& options) {
  check(options);
  TrainOptions fitting = options;
  while (true) {
    Lines iterator(lines);
    if (iterator.done())
      throw Error(
          fmt::format("no text to train a tokenizer from: every line is empty, U+2585 alone, or longer than {} bytes",
                      kLongestTrainingLine));
    std::string model;
    const auto status = sentencepiece::SentencePieceTrainer::Train(arguments(fitting), &iterator, &model);
    if (status.ok()) return model;
    const std::optional<int64_t> most = largest_vocabulary(status.error_message());
    if (!most || *most >= fitting.vocab_size) throw Error(explain(status.error_message(), fitting));
    fitting.vocab_size = *most;
  }
}

void LongLines::add(std::string_view line, int64_t number) {
  if (line.size() > kLongestTrainingLine && ++count == 1) first = number;
}

std::vector<std::string> LongLines::notes() const {
  if (count == 0) return {};
  return {fmt::format("{} line{} of more than {} bytes, line {} is the first: too long to train a tokenizer on", count,
                      count == 1 ? "" : "s", kLongestTrainingLine, first)};
}

size_t count_trainable(const std::vector<std::string_view>& lines) {
  size_t count = 0;
  for (Lines left(lines); !left.done(); left.Next()) ++count;
  return count;
}

void train_to_file(const std::vector<std::string_view>& lines, const TrainOptions& options,
                   const std::filesystem::path& path) {
  write_file_atomically(path, train(lines, options));
}

}  // namespace attnlab::tokenizer
