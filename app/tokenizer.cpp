// attnlab tokenizer train | encode | decode: SentencePiece at hand.

#include "tokenizer/tokenizer.h"

#include <charconv>
#include <iostream>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "app/checked_option.h"
#include "app/line_reader.h"
#include "app/replace_option.h"
#include "app/say.h"
#include "app/text_input.h"
#include "app/verbs.h"
#include "support/error.h"
#include "tokenizer/blanks.h"
#include "tokenizer/train.h"

namespace attnlab::app {

namespace {

struct TokenizerArguments {
  std::vector<std::string> inputs;
  std::string model, input = "-", type = "bpe", output = "pieces";
  tokenizer::TrainOptions options;
  Replace replace = Replace::no;
};

/// The lines of all inputs, with a warning for each input that has lines which are too long.
std::vector<std::string> read_all(const std::vector<std::string>& inputs) {
  std::vector<std::string> all;
  for (const std::string& input : inputs) {
    tokenizer::LongLines too_long;
    int64_t number = 0;
    for (std::string& line : read_lines(input, "input")) {
      too_long.add(line, ++number);
      all.push_back(std::move(line));
    }
    for (const std::string& note : too_long.notes())
      say("attnlab: warning: input: {}: {}\n", name_of_input(input), note);
  }
  return all;
}

/// "30 lines", or "27 of 30 lines" where some had no part.
std::string text_of_lines(size_t used, size_t all) {
  return used == all ? fmt::format("{} lines", all) : fmt::format("{} of {} lines", used, all);
}

int train(const TokenizerArguments& arguments) {
  require_one_standard_input(arguments.inputs, "input");
  require_writable(arguments.model, arguments.replace, {arguments.inputs.begin(), arguments.inputs.end()});
  const std::vector<std::string> lines = read_all(arguments.inputs);
  tokenizer::TrainOptions options = arguments.options;
  options.type = tokenizer::model_type(arguments.type);
  const std::vector<std::string_view> views(lines.begin(), lines.end());
  tokenizer::train_to_file(views, options, arguments.model);
  const int32_t pieces = tokenizer::Tokenizer::load(arguments.model).vocab_size();
  fmt::print("{}: {} pieces{} of type {} from {}\n", arguments.model, pieces,
             pieces < options.vocab_size ? fmt::format(" (--vocab-size {})", options.vocab_size) : "", arguments.type,
             text_of_lines(tokenizer::count_trainable(views), lines.size()));
  return done;
}

int encode(const TokenizerArguments& arguments) {
  const auto tokenizer = tokenizer::Tokenizer::load(arguments.model);
  std::string out;
  for (const std::string& line : read_lines(arguments.input, "--input")) {
    const char* separator = "";
    for (int32_t id : tokenizer.encode(line)) {
      out +=
          separator + (arguments.output == "ids" ? std::to_string(id) : tokenizer::as_one_field(tokenizer.piece(id)));
      separator = " ";
    }
    out += '\n';
  }
  std::cout << out << std::flush;
  return done;
}

std::optional<int32_t> id_of(const std::string& word, int32_t vocab_size) {
  int32_t id = -1;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, id);
  if (error != std::errc() || stop != end || id < 0 || id >= vocab_size) return std::nullopt;
  return id;
}

int decode(const TokenizerArguments& arguments) {
  const auto tokenizer = tokenizer::Tokenizer::load(arguments.model);
  const std::vector<std::string> lines = read_lines(arguments.input, "--input");
  for (size_t i = 0; i < lines.size(); ++i) {
    std::istringstream words(lines[i]);
    tokenizer::Ids ids;
    for (std::string word; words >> word;) {
      const auto id = id_of(word, tokenizer.vocab_size());
      if (!id)
        throw Error(fmt::format("--input: {}:{}: '{}' is no id of this model; expected numbers from 0 to {}",
                                name_of_input(arguments.input), i + 1, word, tokenizer.vocab_size() - 1));
      ids.push_back(*id);
    }
    std::cout << tokenizer::as_one_field(tokenizer.decode(ids)) << '\n';
  }
  std::cout << std::flush;
  return done;
}

}  // namespace

void add_tokenizer(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<TokenizerArguments>();
  CLI::App* verb = app.add_subcommand("tokenizer", "Train a SentencePiece model; encode and decode text with one");
  verb->require_subcommand(1);

  CLI::App* trainer = verb->add_subcommand("train", "Train a model from text files");
  trainer->add_option("input", a->inputs, "text files, one sentence a line, plain or .gz")
      ->check(not_empty())
      ->required();
  trainer->add_option("--model", a->model, "file to write, e.g. joint.model")->check(not_empty())->required();
  trainer->add_option("--type", a->type, "bpe, unigram, word or char")
      ->check(CLI::IsMember({"bpe", "unigram", "word", "char"}))
      ->capture_default_str();
  trainer->add_option("--vocab-size", a->options.vocab_size, "pieces at most, with the four special ones")
      ->transform(allowed_for("tokenizer.vocab_size"))
      ->capture_default_str();
  trainer->add_option("--character-coverage", a->options.character_coverage, "share of characters that get a piece")
      ->transform(allowed_for("tokenizer.character_coverage"))
      ->capture_default_str();
  trainer->add_option("--user-symbol", a->options.user_symbols, "text that becomes exactly one piece; may be repeated");
  add_replace_option(*trainer, a->replace);
  trainer->callback([a, &exit_code] { exit_code = train(*a); });

  CLI::App* encoder = verb->add_subcommand("encode", "Text lines to pieces or ids");
  encoder->add_option("--model", a->model, "a .model file")->check(not_empty())->required();
  encoder->add_option("--input", a->input, "file, - for stdin")->check(not_empty())->capture_default_str();
  encoder->add_option("--output", a->output, "pieces or ids")
      ->check(CLI::IsMember({"pieces", "ids"}))
      ->capture_default_str();
  encoder->callback([a, &exit_code] { exit_code = encode(*a); });

  CLI::App* decoder = verb->add_subcommand("decode", "Lines of ids to text");
  decoder->add_option("--model", a->model, "a .model file")->check(not_empty())->required();
  decoder->add_option("--input", a->input, "file, - for stdin")->check(not_empty())->capture_default_str();
  decoder->callback([a, &exit_code] { exit_code = decode(*a); });
}

}  // namespace attnlab::app
