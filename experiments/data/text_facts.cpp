#include "experiments/data/text_facts.h"

#include <array>
#include <future>
#include <vector>

#include <fmt/format.h>

#include "experiments/data/pair_stream.h"
#include "experiments/data/parallel_text.h"
#include "support/error.h"
#include "support/file_pieces.h"
#include "support/files.h"
#include "support/json.h"

namespace attnlab::data {
namespace {

namespace fs = std::filesystem;

/// Goes into every name: raise it when the same files give other facts.
constexpr int kVersion = 3;

std::string digest_of_file(const fs::path& path, const std::string& key) {
  FileReader reader(path, key);
  Sha256 digest;
  std::vector<char> piece(1 << 18);
  while (const size_t size = reader.read(piece.data(), piece.size())) digest.update({piece.data(), size});
  return digest.hex();
}

void add_split(ContentDigest& digest, const Split& split) {
  for (const auto* side : {&split.source, &split.target}) {
    digest.begin_side(side->size());
    for (const std::string& line : *side) digest.add(line);
  }
}

/// The sources come before the targets, so that the files are read once for each side.
void add_training_side(ContentDigest& digest, const spec::DataConfig& config, const TextFacts& facts, bool sources) {
  digest.begin_side(static_cast<size_t>(facts.train_pairs));
  PairStream stream(config, SplitName::train);
  std::string source, target;
  while (stream.next(source, target)) digest.add(sources ? source : target);
}

Json to_json(const tokenizer::LongLines& lines) {
  return {{"count", lines.count}, {"first", lines.first}};
}

tokenizer::LongLines long_lines(const Json& json) {
  return {json.at("count"), json.at("first")};
}

fs::path path_of(const fs::path& cache, const std::string& files) {
  return cache / ("text-" + files.substr(0, 32) + ".json");
}

}  // namespace

void ContentDigest::begin_side(size_t lines) {
  digest_.update(fmt::format("{} lines\n", lines));
}

void ContentDigest::add(std::string_view line) {
  digest_.update(line);
  digest_.update("\n");
}

std::string digest_of_files(const spec::DataConfig& config) {
  std::vector<std::future<std::string>> digests;
  for (const SplitName name : {SplitName::train, SplitName::valid, SplitName::test})
    for (const std::string& language : {config.source, config.target}) {
      const std::string key = fmt::format("data.{}", name_of(name));
      digests.push_back(std::async(std::launch::async, digest_of_file,
                                   find_text(config.dir, stem_of(config, name), language, key), key));
    }
  std::string all = fmt::format("{} {} {} {} {}\n", kVersion, config.bad_utf8, config.train_pairs, config.valid_pairs,
                                config.test_pairs);
  for (auto& digest : digests) all += digest.get() + '\n';
  return sha256_hex(all);
}

TextFacts facts_of(const Corpus& corpus) {
  TextFacts facts;
  facts.train_read = corpus.train.read;
  facts.train_pairs = static_cast<int64_t>(corpus.train.source.size());
  facts.train_empty = facts.train_read - facts.train_pairs;
  for (size_t i = 0; i < corpus.train.source.size(); ++i) {
    facts.long_sources.add(corpus.train.source[i], static_cast<int64_t>(i) + 1);
    facts.long_targets.add(corpus.train.target[i], static_cast<int64_t>(i) + 1);
  }
  ContentDigest digest;
  add_split(digest, corpus.train);
  facts.train_hash = digest.hex();
  for (const Split* split : {&corpus.valid, &corpus.test}) add_split(digest, *split);
  facts.content_hash = digest.hex();
  return facts;
}

TextFacts read_text_facts(const spec::DataConfig& config) {
  TextFacts facts;
  PairStream stream(config, SplitName::train);
  std::string source, target;
  while (stream.next(source, target)) {
    ++facts.train_pairs;
    facts.long_sources.add(source, stream.read());
    facts.long_targets.add(target, stream.read());
  }
  facts.train_read = stream.read();
  facts.train_empty = stream.empty();
  facts.source_notes = stream.source_notes();
  facts.target_notes = stream.target_notes();
  ContentDigest digest;
  for (const bool sources : {true, false}) add_training_side(digest, config, facts, sources);
  facts.train_hash = digest.hex();
  for (const SplitName name : {SplitName::valid, SplitName::test}) add_split(digest, load_parallel_text(config, name));
  facts.content_hash = digest.hex();
  return facts;
}

// The file: a digest of what follows, and the facts as JSON.
std::optional<TextFacts> kept_text_facts(const fs::path& cache, const std::string& files) {
  const fs::path path = path_of(cache, files);
  try {
    const std::string content = read_file(path, "kept facts");
    const size_t end = content.find('\n');
    if (end == std::string::npos || content.substr(0, end) != sha256_hex(std::string_view(content).substr(end + 1)))
      return std::nullopt;
    const Json json = parse_json(content.substr(end + 1), path.string());
    if (json.at("files") != files) return std::nullopt;
    return TextFacts{json.at("content_hash"),
                     json.at("train_hash"),
                     json.at("train_read"),
                     json.at("train_empty"),
                     json.at("train_pairs"),
                     long_lines(json.at("long_sources")),
                     long_lines(json.at("long_targets")),
                     json.at("source_notes"),
                     json.at("target_notes")};
  } catch (const Error&) {
    return std::nullopt;
  }
}

void keep_text_facts(const fs::path& cache, const std::string& files, const TextFacts& facts) {
  const Json json = {{"files", files},
                     {"content_hash", facts.content_hash},
                     {"train_hash", facts.train_hash},
                     {"train_read", facts.train_read},
                     {"train_empty", facts.train_empty},
                     {"train_pairs", facts.train_pairs},
                     {"long_sources", to_json(facts.long_sources)},
                     {"long_targets", to_json(facts.long_targets)},
                     {"source_notes", facts.source_notes},
                     {"target_notes", facts.target_notes}};
  const std::string text = json.dump(2) + '\n';
  write_file_atomically(path_of(cache, files), sha256_hex(text) + '\n' + text);
}

}  // namespace attnlab::data
