#include "support/shell.h"

#include <array>
#include <cstdio>
#include <memory>

#include "tests/support/catch.h"

namespace attnlab {
namespace {

/// What /bin/sh makes of a word.
std::string read_by_shell(const std::string& word) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(("printf %s " + word).c_str(), "r"), ::pclose);
  std::string text;
  std::array<char, 256> block{};
  while (const size_t count = std::fread(block.data(), 1, block.size(), pipe.get())) text.append(block.data(), count);
  return text;
}

TEST_CASE("plain words of a command stay as they are") {
  for (const char* word : {"out/demo", "a=1", "heads=4_placement=post", "./x,y:z", "größe"})
    CHECK(shell_quoted(word) == word);
}

TEST_CASE("a shell reads every quoted word back") {
  for (const char* word :
       {"a b", "it's", "''", "", "$HOME", "a;b|c&d", "two\nlines", "`id`", "*", "~", "\\", "\"", "#a"})
    CHECK(read_by_shell(shell_quoted(word)) == word);
}

TEST_CASE("a path is never an option") {
  CHECK(shell_path("-x") == "./-x");
  CHECK(shell_path("-x y") == "'./-x y'");
  CHECK(shell_path("out") == "out");
}

}  // namespace
}  // namespace attnlab
