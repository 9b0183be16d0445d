#include <set>

#include "sacrebleu/tokenizers/rewrite.h"
#include "sacrebleu/tokenizers/tercom.h"
#include "sacrebleu/tokenizers/tokenizer.h"
#include "tests/sacrebleu/expect_error.h"
#include "tests/support/catch.h"

namespace sacrebleu {
namespace {

std::string tokenize(const std::string& name, const std::string& line) {
  return (*make_basic_tokenizer(name))(line);
}

TEST_CASE("13a splits punctuation as mteval does", "[sacrebleu]") {
  CHECK(tokenize("13a", "Hello, world!") == "Hello , world !");
  CHECK(tokenize("13a", "It's 3.14, or 1,000.") == "It's 3.14 , or 1,000 .");
  CHECK(tokenize("13a", "1990-2000 well-known") == "1990 - 2000 well-known");
  CHECK(tokenize("13a", "a<skipped>b soft-\nware\nx") == "ab software x");
  CHECK(tokenize("13a", "&quot;x&quot; &amp;lt; &apos;") == "\" x \" < & apos ;");
  CHECK(tokenize("13a", "x٣.٤") == "x٣ . ٤");
}

TEST_CASE("zh splits its characters and needs no padding", "[sacrebleu]") {
  CHECK(tokenize("zh", "你好world 3.") == "你 好 world 3.");
  CHECK(tokenize("zh", "a\u2014b かな 𠀀𠀁") == "a \u2014 b かな 𠀀𠀁");
}

TEST_CASE("intl goes by Unicode categories", "[sacrebleu]") {
  CHECK(tokenize("intl", "«Bonjour», 3,5 €!") == "« Bonjour » , 3,5 € !");
  CHECK(tokenize("intl", "in 2023.") == "in 2023.");
}

TEST_CASE("char and none", "[sacrebleu]") {
  CHECK(tokenize("char", "aé 𝄞") == "a é   𝄞");
  CHECK(tokenize("none", " a  b ") == " a  b ");
}

TEST_CASE("Every basic tokenizer is one of the names, and the others say what they need", "[sacrebleu]") {
  std::set<std::string> basic;
  for (const BasicTokenizer& tokenizer : basic_tokenizers()) {
    INFO(tokenizer.name);
    basic.insert(tokenizer.name);
    CHECK(make_basic_tokenizer(tokenizer.name)->signature() == tokenizer.name);
    CHECK(!tokenizer.description.empty());
  }
  std::set<std::string> others;
  for (const std::string& name : tokenizer_names()) {
    if (basic.erase(name) > 0) continue;
    expect_error([&] { make_basic_tokenizer(name); }, ErrorKind::runtime, "needs a model or dictionary");
    others.insert(name);
  }
  CHECK(basic.empty());
  CHECK(others.size() == 6);
}

TEST_CASE("Tercom's tokens", "[sacrebleu]") {
  CHECK(tercom_tokenize("Hello, WORLD ", {}) == "hello, world");
  TerOptions options;
  options.normalized = true;
  CHECK(tercom_tokenize("The cat's 3.5-year (old) toy.", options) == "the cat 's 3.5 - year ( old ) toy .");
  options.asian_support = true;
  CHECK(tercom_tokenize("漢字、kana かな", options) == "漢 字 、 kana かな");
  options.no_punct = true;
  CHECK(tercom_tokenize("漢、x.", options) == "漢 x");
}

TEST_CASE("Replacing all occurrences does not look back", "[sacrebleu]") {
  std::string text = "aaa";
  replace_all(text, "aa", "a");
  CHECK(text == "aa");
}

}  // namespace
}  // namespace sacrebleu
