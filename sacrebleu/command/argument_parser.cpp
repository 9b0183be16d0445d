#include "sacrebleu/command/argument_parser.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

bool is_negative_number(const std::string& word) {
  const auto digits = [](const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  };
  if (word.size() < 2 || word[0] != '-') return false;
  const auto point = word.find('.');
  if (point == std::string::npos) return digits(word.substr(1));
  return (point == 1 || digits(word.substr(1, point - 1))) && digits(word.substr(point + 1));
}

/// The digits of a Python integer or float literal: surrounding space and single underscores between digits are
/// allowed.
std::optional<std::string> number_text(const std::string& word) {
  std::string text;
  const std::string_view stripped = strip(word);
  for (std::size_t i = 0; i < stripped.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      return at < stripped.size() && std::isdigit(static_cast<unsigned char>(stripped[at]));
    };
    if (stripped[i] != '_') {
      text += stripped[i];
    } else if (i == 0 || !digit(i - 1) || !digit(i + 1)) {
      return std::nullopt;
    }
  }
  return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<int> to_integer(const std::string& word) {
  const auto text = number_text(word);
  if (!text) return std::nullopt;
  const std::size_t first = (*text)[0] == '-' || (*text)[0] == '+' ? 1 : 0;
  if (first == text->size() || text->find_first_not_of("0123456789", first) != std::string::npos) return std::nullopt;
  const long long value = std::strtoll(text->c_str(), nullptr, 10);
  return static_cast<int>(
      std::clamp<long long>(value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

std::optional<double> to_real(const std::string& word) {
  const auto text = number_text(word);
  if (!text || text->find_first_of("xXpP(") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  return *end == '\0' && !std::isspace(static_cast<unsigned char>(text->front())) ? std::optional(value) : std::nullopt;
}

std::string in_quotes(const std::string& word) {
  return '\'' + word + '\'';
}

}  // namespace

std::string Argument::title() const {
  return fmt::format("{}", fmt::join(flags, "/"));
}

std::string Argument::metavar() const {
  return choices.empty() ? upper(name) : fmt::format("{{{}}}", fmt::join(choices, ","));
}

std::string Argument::usage() const {
  if (flags.empty()) return fmt::format("[{} ...]", name);
  const std::string shown = flags.front(), value = metavar();
  switch (count) {
    case ArgumentCount::none:
      return shown;
    case ArgumentCount::one:
      return shown + ' ' + value;
    case ArgumentCount::any:
      return fmt::format("{} [{} ...]", shown, value);
    case ArgumentCount::some:
      return fmt::format("{} {} [{} ...]", shown, value, value);
  }
  return shown;
}

const std::vector<std::string>& ParsedArguments::list(const std::string& name) const {
  static const std::vector<std::string> empty;
  const auto found = values_.find(name);
  return found == values_.end() ? empty : found->second;
}

std::string ParsedArguments::text(const std::string& name, const std::string& fallback) const {
  return has(name) ? list(name).front() : fallback;
}

int ParsedArguments::integer(const std::string& name, int fallback) const {
  return has(name) ? to_integer(list(name).front()).value_or(fallback) : fallback;
}

double ParsedArguments::real(const std::string& name, double fallback) const {
  return has(name) ? to_real(list(name).front()).value_or(fallback) : fallback;
}

/// One pass over the words.
class ArgumentParser::Run {
 public:
  Run(const ArgumentParser& parser, const std::vector<std::string>& words, std::string version, std::string description)
      : parser_(parser), words_(words), version_(std::move(version)), description_(std::move(description)) {}

  ParsedArguments parse() {
    classify();
    std::size_t at = 0;
    for (std::size_t option = next_option(0); option < words_.size(); option = next_option(at)) {
      if (at != option) at = take_positionals(at);
      for (; at < option; ++at) extras_.push_back(words_[at]);
      at = take_option(at);
    }
    at = take_positionals(at);
    extras_.insert(extras_.end(), words_.begin() + static_cast<std::ptrdiff_t>(at), words_.end());
    if (!extras_.empty()) fail(fmt::format("unrecognized arguments: {}", fmt::join(extras_, " ")));
    return std::move(parsed_);
  }

 private:
  /// How an option word is understood; a null argument is an unknown option.
  struct Match {
    const Argument* argument = nullptr;
    std::string flag;
    std::optional<std::string> value;  ///< written in the same word
  };

  [[noreturn]] void fail(const std::string& message) const {
    throw Exit{2, parser_.usage() + parser_.program_ + ": error: " + message + '\n'};
  }
  [[noreturn]] void fail(const Argument& argument, const std::string& message) const {
    fail("argument " + argument.title() + ": " + message);
  }

  [[nodiscard]] const Argument* find(const std::string& flag) const {
    for (const auto& argument : parser_.arguments_) {
      if (std::find(argument.flags.begin(), argument.flags.end(), flag) != argument.flags.end()) return &argument;
    }
    return nullptr;
  }

  /// Marks each word as an option, a value, or the first "--", behind which all are values.
  void classify() {
    bool only_values = false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      kinds_.push_back('A');
      if (only_values) continue;
      if (words_[i] == "--") {
        kinds_.back() = '-';
        only_values = true;
      } else if (auto match = as_option(words_[i])) {
        kinds_.back() = 'O';
        options_[i] = std::move(*match);
      }
    }
  }

  [[nodiscard]] std::size_t next_option(std::size_t at) const {
    const auto found = kinds_.find('O', at);
    return found == std::string::npos ? words_.size() : found;
  }

  [[nodiscard]] std::optional<Match> as_option(const std::string& word) const {
    if (word.empty() || word[0] != '-') return std::nullopt;
    if (const auto* argument = find(word)) return Match{argument, word, std::nullopt};
    if (word.size() == 1) return std::nullopt;
    if (const auto equals = word.find('='); equals != std::string::npos) {
      const std::string flag = word.substr(0, equals);
      if (const auto* argument = find(flag)) return Match{argument, flag, word.substr(equals + 1)};
    }
    const auto matches = abbreviated(word);
    if (matches.size() > 1) {
      std::vector<std::string> flags;
      for (const auto& match : matches) flags.push_back(match.flag);
      fail(fmt::format("ambiguous option: {} could match {}", word.substr(0, word.find('=')), fmt::join(flags, ", ")));
    }
    if (matches.size() == 1) return matches.front();
    if (is_negative_number(word) || word.find(' ') != std::string::npos) return std::nullopt;
    return Match{nullptr, word, std::nullopt};
  }

  /// Long options by a prefix; short ones by a prefix, or with their value attached.
  [[nodiscard]] std::vector<Match> abbreviated(const std::string& word) const {
    const bool is_long = word[1] == '-';
    const auto equals = is_long ? word.find('=') : std::string::npos;
    const std::string prefix = word.substr(0, equals);
    const auto value = equals == std::string::npos ? std::nullopt : std::optional(word.substr(equals + 1));
    std::vector<Match> matches;
    for (const auto& argument : parser_.arguments_) {
      for (const auto& flag : argument.flags) {
        if (!is_long && flag == word.substr(0, 2)) {
          matches.push_back({&argument, flag, word.substr(2)});
        } else if (flag.starts_with(prefix)) {
          matches.push_back({&argument, flag, value});
        }
      }
    }
    return matches;
  }

  /// The positional list takes the first run of values; later ones are too many.
  std::size_t take_positionals(std::size_t at) {
    if (positionals_taken_) return at;
    for (const auto& argument : parser_.arguments_) {
      if (!argument.flags.empty()) continue;
      std::vector<std::string> values;
      for (; at < words_.size() && kinds_[at] != 'O'; ++at) {
        if (kinds_[at] == 'A') values.push_back(words_[at]);
      }
      parsed_.set(argument.name, values);
    }
    positionals_taken_ = true;
    return at;
  }

  std::size_t take_option(std::size_t at) {
    Match match = options_[at];
    if (match.argument == nullptr) {
      extras_.push_back(words_[at]);
      return at + 1;
    }
    // Flags without values may be written together: -qb.
    while (match.value && match.argument->count == ArgumentCount::none) {
      const Argument* next = nullptr;
      if (match.flag[1] != '-' && !match.value->empty()) {
        match.flag = std::string("-") + match.value->front();
        next = find(match.flag);
      }
      if (next == nullptr) fail(*match.argument, "ignored explicit argument " + in_quotes(*match.value));
      act(*match.argument, {});
      match.argument = next;
      match.value = match.value->size() > 1 ? std::optional(match.value->substr(1)) : std::nullopt;
    }
    if (match.value) {
      act(*match.argument, {*match.value});
      return at + 1;
    }
    std::vector<std::string> values;
    const std::size_t most = match.argument->count == ArgumentCount::none  ? 0
                             : match.argument->count == ArgumentCount::one ? 1
                                                                           : words_.size();
    for (++at; at < words_.size() && kinds_[at] == 'A' && values.size() < most; ++at) values.push_back(words_[at]);
    if (values.empty() && match.argument->count == ArgumentCount::one) fail(*match.argument, "expected one argument");
    if (values.empty() && match.argument->count == ArgumentCount::some)
      fail(*match.argument, "expected at least one argument");
    act(*match.argument, values);
    return at;
  }

  void act(const Argument& argument, const std::vector<std::string>& values) {
    for (const auto& value : values) check(argument, value);
    if (!argument.exclusive.empty()) {
      for (const auto& other : parser_.arguments_) {
        if (&other != &argument && other.exclusive == argument.exclusive && parsed_.has(other.name)) {
          fail(argument, "not allowed with argument " + other.title());
        }
      }
    }
    if (argument.name == "help") throw Exit{0, parser_.help(description_)};
    if (argument.name == "version") throw Exit{0, parser_.program_ + ' ' + version_ + '\n'};
    parsed_.set(argument.name, values);
  }

  void check(const Argument& argument, const std::string& value) const {
    if (argument.type == ArgumentType::integer && !to_integer(value))
      fail(argument, "invalid int value: " + in_quotes(value));
    if (argument.type == ArgumentType::real && !to_real(value))
      fail(argument, "invalid float value: " + in_quotes(value));
    const auto& choices = argument.choices;
    if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return;
    fail(argument, fmt::format("invalid choice: '{}' (choose from '{}')", value, fmt::join(choices, "', '")));
  }

  const ArgumentParser& parser_;
  const std::vector<std::string>& words_;
  std::string version_, description_;
  std::string kinds_;
  std::map<std::size_t, Match> options_;
  std::vector<std::string> extras_;
  ParsedArguments parsed_;
  bool positionals_taken_ = false;
};

ParsedArguments ArgumentParser::parse(const std::vector<std::string>& words, const std::string& version,
                                      const std::string& description) const {
  return Run(*this, words, version, description).parse();
}

std::string ArgumentParser::usage() const {
  std::vector<std::string> parts;
  std::string positional;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const auto& argument = arguments_[i];
    if (argument.flags.empty()) {
      positional = argument.usage();
    } else if (argument.name == "help") {
      parts.emplace_back("[-h]");
    } else if (!argument.exclusive.empty() && i > 0 && arguments_[i - 1].exclusive == argument.exclusive) {
      parts.back() += " | " + argument.usage() + ']';
    } else {
      parts.push_back('[' + argument.usage() + (argument.exclusive.empty() ? "]" : ""));
    }
  }
  constexpr std::size_t kWidth = 78;
  const std::string start = "usage: " + program_, indent(start.size() + 1, ' ');
  std::string text = start, line = start;
  for (const auto& part : parts) {
    if (line.size() + 1 + part.size() > kWidth && line.size() > indent.size()) {
      text += '\n' + indent + part;
      line = indent + part;
    } else {
      text += ' ' + part;
      line += ' ' + part;
    }
  }
  return text + '\n' + indent + positional + '\n';
}

std::string ArgumentParser::help(const std::string& description) const {
  std::string text = usage() + '\n' + description + "\n\n";
  for (const auto& argument : arguments_) {
    std::string invocation =
        argument.flags.empty() ? argument.name : fmt::format("{}", fmt::join(argument.flags, ", "));
    if (argument.count != ArgumentCount::none && !argument.flags.empty()) invocation += ' ' + argument.metavar();
    text += fmt::format("  {}\n      {}\n", invocation, argument.help);
  }
  return text;
}

}  // namespace sacrebleu
