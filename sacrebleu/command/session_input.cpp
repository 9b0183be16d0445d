// The part of a run that checks options and reads texts.

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "sacrebleu/command/exit.h"
#include "sacrebleu/command/fields.h"
#include "sacrebleu/command/input.h"
#include "sacrebleu/command/session.h"
#include "sacrebleu/python_format.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {

std::vector<std::string> Session::test_sets() const {
  std::vector<std::string> names;
  std::string_view rest = *options_.test_set;
  for (auto comma = rest.find(','); comma != std::string_view::npos; comma = rest.find(',')) {
    names.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(comma + 1);
  }
  names.emplace_back(rest);
  return names;
}

void Session::refuse_dataset_options() const {
  const std::string where =
      fmt::format("Test sets are read from '{}' (set SACREBLEU to change it).", folder_.path().string());
  if (options_.download) {
    stop({"--download is not available: this program never downloads anything.",
          where + " Put the files there as the original stores them: NAME/NAME.LANGPAIR.FIELD."});
  }
  if (options_.list) {
    list_test_sets();
    throw Exit{0, ""};
  }
  if (options_.sentence_level && options_.metrics.size() > 1)
    stop({"Only one metric can be used in sentence-level mode."});
  if (options_.citation) {
    if (!options_.test_set) stop({"I need a test set (-t)."});
    stop({"--citation is not available: the citations of test sets are not carried along."});
  }
  if (options_.original_language || options_.subset) {
    stop({"--origlang and --subset are not available: they need the raw files of a test set, which are not read.",
          where});
  }
}

void Session::list_test_sets() const {
  std::string text;
  for (const auto& name : test_set_names()) {
    if (options_.test_set && *options_.test_set != name) continue;
    for (const auto& pair : folder_.language_pairs(name)) {
      if (options_.language_pair && *options_.language_pair != pair) continue;
      const std::string fields = fmt::format("{}", fmt::join(folder_.fields(name, pair), ", "));
      text += options_.test_set ? fmt::format("{}: {}\n", pair, fields)
                                : fmt::format("{:<30}: {}: {}\n", name, pair, fields);
    }
  }
  if (text.empty()) {
    stop({fmt::format("No such test set lies in '{}', and nothing is downloaded.", folder_.path().string())});
  }
  print(options_.test_set ? text : "The available test sets are:\n" + text);
}

void Session::check_options() const {
  if (options_.reference_count != 1 && (options_.test_set || options_.references.size() > 1)) {
    stop({"The --num-refs argument allows you to provide any number of tab-delimited references in a single file.",
          "You can only use it with externally provided references, however (i.e., not with `-t`),",
          "and you cannot then provide multiple reference files."});
  }
  if (!options_.test_set && options_.references.empty()) {
    stop({"If manual references given, make sure to provide them before the -i/--input argument to avoid confusion.",
          "Otherwise, I need a predefined test set (-t) from the following list:",
          fmt::format("['{}']", fmt::join(test_set_names(), "', '"))});
  }
  if (!options_.echo.empty() && !options_.test_set) {
    stop({"--echo requires a test set (--t) and a language pair (-l)"});
  }
}

void Session::check_test_sets() const {
  if (!options_.test_set) return;
  const auto& known = test_set_names();
  for (const auto& name : test_sets()) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      stop({"Unknown test set " + quoted_repr(name), "Please run with --list to see the available test sets."});
    }
  }
  if (!options_.references.empty())
    stop({"I need exactly one of (a) a predefined test set (-t) or (b) a list of references"});
  if (!options_.language_pair) {
    stop({"I need a language pair (-l). Use --list to see available language pairs for this test set."});
  }
  for (const auto& name : test_sets()) {
    if (!folder_.fields(name, *options_.language_pair).empty()) continue;
    stop({fmt::format("The files of {}/{} do not lie in '{}', and this program never downloads anything.", name,
                      *options_.language_pair, folder_.path().string()),
          fmt::format("Put them there as the original stores them, for example {}.",
                      folder_.file(name, *options_.language_pair, "ref"))});
  }
}

void Session::echo() const {
  for (const auto& name : test_sets()) {
    const auto known = folder_.fields(name, *options_.language_pair);
    auto wanted = options_.echo;
    if (std::find(wanted.begin(), wanted.end(), "all") != wanted.end()) {
      if (wanted.size() != 1) stop({"Cannot use --echo all with other fields"});
      wanted = known;
    }
    std::vector<std::vector<std::string>> texts;
    for (auto& field : wanted) {
      const auto first = std::find_if(known.begin(), known.end(), [](const auto& f) { return f.starts_with("ref"); });
      const bool exists = std::find(known.begin(), known.end(), field) != known.end();
      if (field == "ref" && !exists && first != known.end()) {
        field = *first;
      } else if (!exists) {
        stop(
            {fmt::format("No such field {} in test set {} for language pair {}.", field, name, *options_.language_pair),
             fmt::format("available fields for {}/{}: {}", name, *options_.language_pair, fmt::join(known, ", "))});
      }
      texts.push_back(read_lines(folder_.file(name, *options_.language_pair, field), "utf-8"));
    }
    std::size_t lines = texts.front().size();
    for (const auto& text : texts) lines = std::min(lines, text.size());
    std::string out;
    for (std::size_t i = 0; i < lines; ++i) {
      for (std::size_t f = 0; f < texts.size(); ++f) out += (f > 0 ? "\t" : "") + std::string(rstrip(texts[f][i]));
      out += '\n';
    }
    print(out);
  }
}

void Session::find_references() {
  if (const auto& pair = options_.language_pair; pair && !pair->empty()) {
    const auto dash = pair->find('-');
    if (dash == std::string::npos) {
      throw Error(ErrorKind::index, fmt::format("the language pair (-l) must be like en-de, but it is '{}'", *pair));
    }
    options_.bleu.trg_lang = pair->substr(dash + 1, pair->find('-', dash + 1) - dash - 1);
  }
  if (options_.test_set && options_.bleu.tokenize == "none") {
    log(LogLevel::warning,
        "You are turning off BLEU's internal tokenizer presumably to supply your own tokenized files.");
    log(LogLevel::warning, "Published numbers will not be comparable to other papers.");
  }
  if (!options_.test_set) {
    reference_files_.push_back(options_.references);
  } else {
    for (const auto& name : test_sets()) {
      auto& set = reference_files_.emplace_back();
      for (const auto& field : folder_.fields(name, *options_.language_pair)) {
        if (field.starts_with("ref")) set.push_back(folder_.file(name, *options_.language_pair, field));
      }
      if (set.empty()) {
        log(LogLevel::warning, fmt::format("No references found for test set {}/{}.", name, *options_.language_pair));
      }
    }
  }
}

std::size_t Session::reference_streams() const {
  return static_cast<std::size_t>(
      std::max<long>(static_cast<long>(reference_files_.front().size()), options_.reference_count));
}

void Session::read_reference_files(const TakeReference& take) const {
  const std::size_t streams = reference_streams();
  for (const auto& set : reference_files_) {
    for (std::size_t k = 0; k < set.size(); ++k) {
      if (k >= streams) throw Error(ErrorKind::index, "the test sets have different numbers of references");
      read_reference_file(set[k], k, take);
    }
  }
}

void Session::read_reference_file(const std::string& file, std::size_t stream, const TakeReference& take) const {
  LineReader reader(file, options_.encoding);
  std::vector<std::string_view> fields;
  std::size_t number = 0, wrong = 0, found = 0;
  for (std::string_view line; reader.next(line);) {
    ++number;
    if (wrong > 0) continue;  // told when the whole file has been found readable
    split_references(line, options_.reference_count, fields);
    if (static_cast<int>(fields.size()) != options_.reference_count) {
      wrong = number;
      found = fields.size();
      continue;
    }
    for (std::size_t f = 0; f < fields.size(); ++f) take(stream + f, fields[f]);
  }
  if (wrong == 0) return;
  stop({fmt::format("FATAL: line {}: expected {} fields, but found {}.", wrong, options_.reference_count, found)}, 17);
}

void Session::read_references() {
  references_.resize(reference_streams());
  read_reference_files([this](std::size_t stream, std::string_view line) { references_[stream].emplace_back(line); });
}

void Session::read_systems() {
  if (options_.input) {
    read_systems_from_files();
  } else {
    read_systems_from_input();
  }
}

void Session::read_systems_from_input() {
  auto lines = read_lines(input_);
  if (lines.empty()) lines.emplace_back();
  std::vector<std::string_view> fields;
  split_tabs(rstrip(lines.front()), -1, fields);
  for (const auto field : fields) {
    systems_.push_back({fmt::format("System {}", systems_.size() + 1), {std::string(field)}});
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    split_tabs(rstrip(lines[i]), -1, fields);
    if (fields.size() != systems_.size()) refuse_fields();
    for (std::size_t s = 0; s < fields.size(); ++s) systems_[s].lines.emplace_back(rstrip(fields[s]));
  }
}

void Session::refuse_fields() const {
  stop({"FATAL: the number of tab-delimited fields in the input stream differ across lines."}, 17);
}

void Session::read_systems_from_files() {
  for (const auto& file : *options_.input) {
    const auto same =
        std::find_if(systems_.begin(), systems_.end(), [&file](const System& system) { return system.name == file; });
    if (same != systems_.end()) {
      if (options_.paired() && same == systems_.begin()) {
        info(fmt::format("Ignoring {} as it was also given as the baseline.", quoted_repr(file)));
        continue;
      }
      stop({fmt::format("{} already used to name a system.", quoted_repr(file)),
            "Make sure to have a different basename for each system."});
    }
    auto lines = read_lines(file, options_.encoding);
    for (auto& line : lines) line.resize(rstrip(line).size());
    systems_.push_back({file, std::move(lines)});
  }
}

void Session::check_systems() const {
  if (options_.sentence_level) {
    if (systems_.size() > 1) stop({"Only one system can be evaluated in sentence-level mode."});
    if (options_.confidence || options_.paired()) stop({"Statistical tests are unavailable in sentence-level mode."});
  }
  if (options_.paired() && systems_.size() == 1) {
    stop({"Paired tests require multiple input systems given to --input (-i)."});
  }
  if (systems_.size() > 1 && options_.confidence) stop({"Use paired tests (--paired) for multiple systems."});
  std::vector<std::size_t> lengths;
  for (const auto& stream : references_) lengths.push_back(stream.size());
  for (const auto& system : systems_) check_lengths(system.lines.size(), lengths);
}

void Session::check_lengths(std::size_t lines, const std::vector<std::size_t>& references) const {
  if (lines == 0) {
    stop({fmt::format("Test set {} contains no sentence",
                      options_.test_set ? quoted_repr(*options_.test_set) : "None")});
  }
  const auto differs = [lines](std::size_t length) { return length != lines; };
  if (std::none_of(references.begin(), references.end(), differs)) return;
  std::vector<std::string> messages = {"System and reference streams have different lengths."};
  if (options_.test_set) {
    messages.emplace_back(
        "This could be an issue with your system output or with the files of the test set in the SACREBLEU folder.");
  }
  stop(messages);
}

}  // namespace sacrebleu
