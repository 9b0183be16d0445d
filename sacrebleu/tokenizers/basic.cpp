// The tokenizers that need nothing but the text: none, 13a (mteval-v13a), zh, intl (mteval-v14), char.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sacrebleu/error.h"
#include "sacrebleu/tokenizers/rewrite.h"
#include "sacrebleu/tokenizers/tokenizer.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

/// The line as it is: already tokenised text.
class None : public Tokenizer {
 public:
  [[nodiscard]] std::string signature() const override { return "none"; }
  void apply(std::string_view line, std::string& out) const override { out.assign(line); }
  [[nodiscard]] std::string operator()(std::string_view line) const override { return std::string(line); }
};

/// WMT's tokenisation, mteval-v13a.pl.
class Mteval13a : public Tokenizer {
 public:
  [[nodiscard]] std::string signature() const override { return "13a"; }
  void apply(std::string_view line, std::string& out) const override {
    out.assign(1, ' ').append(line);
    replace_all(out, "<skipped>", "");
    replace_all(out, "-\n", "");
    std::replace(out.begin(), out.end(), '\n', ' ');
    unescape_entities(out);
    out += ' ';
    split_western(out);
  }
};

/// Chinese: characters apart, the rest as 13a but without padding and without entities.
class Chinese : public Tokenizer {
 public:
  [[nodiscard]] std::string signature() const override { return "zh"; }
  void apply(std::string_view line, std::string& out) const override {
    out.clear();
    line = strip(line);
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t start = at;
      const char32_t c = next_code_point(line, at);
      const bool apart = c >= 0x2001 && is_chinese(c);
      if (apart) out += ' ';
      out.append(line, start, at - start);
      if (apart) out += ' ';
    }
    split_western(out);
  }

 private:
  /// The set that the original really has: two of its ranges are written as four hex digits and a literal character,
  /// which makes it split U+2001-2A6D (punctuation, arrows, mathematics) and never the ideographs of extension B.
  static bool is_chinese(char32_t c) {
    static constexpr std::array<std::array<char32_t, 2>, 13> kRanges = {{{0x2001, 0x2A6D},
                                                                         {0x2E80, 0x2FDF},
                                                                         {0x2FF0, 0x303F},
                                                                         {0x3100, 0x312F},
                                                                         {0x31A0, 0x31EF},
                                                                         {0x3200, 0x4DB5},
                                                                         {0x4E00, 0x9FBB},
                                                                         {0xF900, 0xFA2D},
                                                                         {0xFA30, 0xFA6A},
                                                                         {0xFA70, 0xFAD9},
                                                                         {0xFE10, 0xFE1F},
                                                                         {0xFE30, 0xFE4F},
                                                                         {0xFF00, 0xFFEF}}};
    return std::any_of(kRanges.begin(), kRanges.end(),
                       [c](const auto& range) { return c >= range[0] && c <= range[1]; });
  }
};

/// mteval-v14's international tokenisation by Unicode categories.
class International : public Tokenizer {
 public:
  [[nodiscard]] std::string signature() const override { return "intl"; }
  void apply(std::string_view line, std::string& out) const override {
    thread_local std::vector<char32_t> text, other;
    text.clear();
    for (std::size_t at = 0; at < line.size();) text.push_back(next_code_point(line, at));
    const auto is = [](char32_t c, Category wanted) { return category(c) == wanted; };
    rewrite(text, other, /*spaces=*/{false, true, true},
            [&](char32_t a, char32_t b) { return is(b, Category::punctuation) && !is(a, Category::number); });
    rewrite(other, text, /*spaces=*/{true, true, false},
            [&](char32_t a, char32_t b) { return is(a, Category::punctuation) && !is(b, Category::number); });
    out.clear();
    for (const char32_t c : text) {
      const bool apart = is(c, Category::symbol);
      if (apart) out += ' ';
      append_utf8(out, c);
      if (apart) out += ' ';
    }
  }

 private:
  /// Consumes matching pairs from left to right; spaces: before, between and behind them.
  template <class Matches>
  static void rewrite(const std::vector<char32_t>& text, std::vector<char32_t>& out, std::array<bool, 3> spaces,
                      Matches matches) {
    out.clear();
    for (std::size_t at = 0; at < text.size();) {
      if (at + 1 == text.size() || !matches(text[at], text[at + 1])) {
        out.push_back(text[at++]);
        continue;
      }
      if (spaces[0]) out.push_back(' ');
      out.push_back(text[at]);
      if (spaces[1]) out.push_back(' ');
      out.push_back(text[at + 1]);
      if (spaces[2]) out.push_back(' ');
      at += 2;
    }
  }
};

/// Every code point a token.
class Character : public Tokenizer {
 public:
  [[nodiscard]] std::string signature() const override { return "char"; }
  void apply(std::string_view line, std::string& out) const override {
    out.clear();
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t start = at;
      next_code_point(line, at);
      if (start > 0) out += ' ';
      out.append(line, start, at - start);
    }
  }
  [[nodiscard]] std::string operator()(std::string_view line) const override {
    std::string out;
    apply(line, out);
    return out;
  }
};

template <class Kind>
std::unique_ptr<Tokenizer> make() {
  return std::make_unique<Kind>();
}

}  // namespace

std::string Tokenizer::operator()(std::string_view line) const {
  std::string out;
  apply(line, out);
  return squeeze(out);
}

const std::vector<BasicTokenizer>& basic_tokenizers() {
  static const std::vector<BasicTokenizer> tokenizers = {
      {"none", "blanks only", make<None>},
      {"zh", "Chinese characters apart", make<Chinese>},
      {"13a", "mteval-v13a, sacreBLEU's default", make<Mteval13a>},
      {"intl", "mteval-v14, international", make<International>},
      {"char", "single characters", make<Character>},
  };
  return tokenizers;
}

std::unique_ptr<Tokenizer> make_basic_tokenizer(const std::string& name) {
  for (const BasicTokenizer& tokenizer : basic_tokenizers()) {
    if (tokenizer.name == name) return tokenizer.make();
  }
  const auto& names = tokenizer_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw Error(ErrorKind::value,
                fmt::format("unknown tokenizer '{}': choose one of {}", name, fmt::join(names, ", ")));
  }
  throw Error(
      ErrorKind::runtime,
      fmt::format("the tokenizer '{}' needs a model or dictionary: pass a factory (sacrebleu/tokenizers/external.h) in "
                  "BleuOptions::tokenizers",
                  name));
}

const std::vector<std::string>& tokenizer_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const BasicTokenizer& tokenizer : basic_tokenizers()) all.push_back(tokenizer.name);
    for (const char* external : {"ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K"}) {
      all.emplace_back(external);
    }
    return all;
  }();
  return names;
}

}  // namespace sacrebleu
