// attnlab data NAME --out DIR: writes a generated corpus as text files.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/checked_option.h"
#include "app/replace_option.h"
#include "app/verbs.h"
#include "experiments/data/corpus.h"
#include "experiments/data/text_files.h"
#include "experiments/spec/generators.h"
#include "experiments/spec/read.h"
#include "experiments/spec/variants.h"
#include "support/error.h"

namespace attnlab::app {

namespace {

struct DataArguments {
  std::string name, out;
  std::vector<std::string> set;
  Replace replace = Replace::no;
};

void require_generator(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& generator : spec::generator_variants()) names.push_back(generator.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string near = spec::nearest(name, names);
  throw Error(fmt::format("'{}' is no generator: one of {}{}", name, fmt::join(names, ", "),
                          near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

int write_data(const DataArguments& arguments) {
  require_generator(arguments.name);
  Json document;
  document["data"]["generator"] = arguments.name;
  const spec::RunConfig config = spec::parse_run_config(document, "the corpus", {arguments.set, {}});
  if (config.data.generator != arguments.name)
    throw Error(fmt::format("--set data.generator: the generator is '{}', named after `attnlab data`; leave this out",
                            arguments.name));
  const data::Corpus corpus = data::load_corpus(config.data);
  data::write_as_text(corpus, config.data, arguments.out, arguments.replace);
  fmt::print("{}: {} training, {} validation and {} test pairs in {}\n", arguments.name, corpus.train.source.size(),
             corpus.valid.source.size(), corpus.test.source.size(), arguments.out);
  for (size_t i = 0; i < std::min<size_t>(3, corpus.train.source.size()); ++i) {
    fmt::print("  {}\n  {}\n", corpus.train.source[i], corpus.train.target[i]);
  }
  return done;
}

}  // namespace

void add_data(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<DataArguments>();
  CLI::App* verb = app.add_subcommand("data", "Write a generated corpus as text files");
  verb->add_option("name", a->name, "one of those that `attnlab list generators` shows")->required();
  verb->add_option("--out", a->out, "folder for train.en, train.de, ... and, where known, alignments and antecedents")
      ->check(not_empty())
      ->required();
  verb->add_option("--set", a->set, "key=value of the spec, e.g. data.train_pairs=1000; may be repeated")
      ->type_name("KEY=VALUE");
  add_replace_option(*verb, a->replace);
  verb->callback([a, &exit_code] { exit_code = write_data(*a); });
}

}  // namespace attnlab::app
