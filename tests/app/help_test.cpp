// What --help says: of the program, of every verb and of the verbs below it; and whether the pages ask for what is
// there.

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <vector>

#include "tests/app/program.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::tests {
namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// An item of a help text's section: "  --out TEXT REQUIRED   folder of ..." has the name "--out".
struct Item {
  std::string name, explanation;
};

/// The items below a heading such as "options:", however it is spelt. Explanations begin in column 30, those of a long
/// item on the next line.
std::vector<Item> items(const std::string& help, const std::string& heading) {
  constexpr size_t column = 30;
  std::vector<Item> found;
  bool inside = false;
  for (const std::string& line : lines_of(help)) {
    if (!line.starts_with(' ')) inside = lower(line) == heading;
    if (!inside || line.size() < 3 || !line.starts_with(' ')) continue;
    if (line[2] != ' ') found.push_back({words_of(line).front(), ""});
    if (line.size() <= column || line[column - 1] != ' ') continue;
    if (!found.empty()) found.back().explanation += " " + line.substr(column);
  }
  return found;
}

/// The help of every verb by its words, "" for the program itself; `score` has sacreBLEU's own and is left out.
const std::map<std::string, std::string>& all_help() {
  static const std::map<std::string, std::string> all = [] {
    const Shell shell;
    std::map<std::string, std::string> texts;
    Words open = {""};
    while (!open.empty()) {
      const std::string verb = open.back();
      open.pop_back();
      const Outcome outcome = shell("$A " + verb + " --help");
      INFO(verb << "\n" << outcome.err);
      CHECK(outcome.exit_code == 0);
      CHECK(outcome.err == "");
      texts[verb] = outcome.out;
      for (const Item& below : items(outcome.out, "subcommands:"))
        if (below.name != "score") open.push_back(verb.empty() ? below.name : verb + " " + below.name);
    }
    return texts;
  }();
  return all;
}

TEST_CASE("every verb says how it is used and what each of its words and options means", "[slow]") {
  REQUIRE(all_help().size() > 20);
  for (const auto& [verb, help] : all_help()) {
    INFO(verb << "\n" << help);
    CHECK(mentions(help, "Usage: attnlab" + (verb.empty() ? "" : " " + verb), "--help"));
    for (const char* heading : {"positionals:", "options:", "subcommands:"}) {
      for (const Item& item : items(help, heading)) {
        INFO(item.name);
        CHECK(words_of(item.explanation).size() > 1);
      }
    }
  }
}

TEST_CASE("the help of a verb begins with the line that lists it", "[slow]") {
  for (const auto& [verb, help] : all_help()) {
    for (const Item& below : items(help, "subcommands:")) {
      const auto own = all_help().find(verb.empty() ? below.name : verb + " " + below.name);
      if (own == all_help().end()) continue;
      INFO(own->first);
      const Words listed = words_of(below.explanation), first = words_of(own->second);
      CHECK(std::mismatch(listed.begin(), listed.end(), first.begin(), first.end()).first == listed.end());
    }
  }
}

TEST_CASE("score has the help of sacreBLEU's command") {
  const Shell shell;
  for (const char* option : {"--help", "-h"}) {
    const Outcome outcome = shell(std::string("$A score ") + option);
    CHECK(outcome.exit_code == 0);
    CHECK(mentions(outcome.out, "usage: attnlab score [-h]", "--metrics", "--tokenize", "--paired-bs"));
  }
}

/// The verb with which a command begins: as many of its words as name one.
std::string verb_of(const Words& command) {
  std::string verb;
  for (const std::string& word : command) {
    const std::string longer = verb.empty() ? word : verb + " " + word;
    if (!all_help().contains(longer)) break;
    verb = longer;
  }
  return verb;
}

/// "--out" of "--out=x", "[--out" or "--out`,"; "" for a word that is no option.
std::string option_of(const std::string& word) {
  const size_t start = word.find("--");
  if (start == std::string::npos || start > 1) return "";
  const std::string option = word.substr(start, word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", start) - start);
  return option == "--" ? "" : option;
}

/// The options that a page gives to verbs: the line, the verb and the option.
struct Mention {
  std::string line, verb, option;
};

std::vector<Mention> mentions_in(const std::string& page) {
  const std::string program = "attnlab ";
  std::vector<Mention> found;
  for (const std::string& line : lines_of(page)) {
    for (size_t start = line.find(program); start != std::string::npos; start = line.find(program, start + 1)) {
      const std::string rest = line.substr(start + program.size());
      const Words command = words_of(rest.substr(0, rest.find_first_of("`|#;>")));
      const std::string verb = verb_of(command);
      for (const std::string& word : command)
        if (!verb.empty() && !option_of(word).empty()) found.push_back({line, verb, option_of(word)});
    }
  }
  return found;
}

TEST_CASE("the options that the pages give to a verb are in its help", "[slow]") {
  const std::filesystem::path root = std::filesystem::path(ATTNLAB_TESTS_DIR).parent_path();
  size_t checked = 0;
  for (const auto& folder : {root, root / "docs"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".md") continue;
      for (const Mention& mention : mentions_in(read_file(entry.path(), "the page"))) {
        INFO(entry.path().filename() << ": " << mention.line);
        CHECK(mentions(all_help().at(mention.verb), mention.option));
        ++checked;
      }
    }
  }
  CHECK(checked > 40);
}

}  // namespace
}  // namespace attnlab::tests
