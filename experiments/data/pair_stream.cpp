#include "experiments/data/pair_stream.h"

#include <fmt/format.h>

#include "experiments/data/parallel_text.h"
#include "support/error.h"

namespace attnlab::data {
namespace {

int64_t limit_of(const spec::DataConfig& config, SplitName name) {
  switch (name) {
    case SplitName::train:
      return config.train_pairs;
    case SplitName::valid:
      return config.valid_pairs;
    case SplitName::test:
      break;
  }
  return config.test_pairs;
}

}  // namespace

PairStream::PairStream(const spec::DataConfig& config, SplitName name)
    : key_(fmt::format("data.{}", name_of(name))),
      limit_(limit_of(config, name)),
      drops_empty_(name == SplitName::train) {
  const BadUtf8 policy = bad_utf8_policy(config.bad_utf8);
  const auto open = [&](const std::string& language, std::string& path) {
    path = find_text(config.dir, stem_of(config, name), language, key_).string();
    return std::make_unique<LineStream>(path, key_, policy);
  };
  source_ = open(config.source, source_path_);
  target_ = open(config.target, target_path_);
}

bool PairStream::next(std::string& source, std::string& target) {
  while (true) {
    const bool has_source = source_->next(source), has_target = target_->next(target);
    if (!has_source || !has_target) break;
    if (limit_ > 0 && read_ == limit_) continue;  // the rest is only checked
    ++read_;
    source_notes_.add(source);
    target_notes_.add(target);
    if (!drops_empty_ || (!is_blank(source) && !is_blank(target))) return true;
    ++empty_;
  }
  check_end();
  return false;
}

void PairStream::check_end() {
  std::string rest;
  for (LineStream* side : {source_.get(), target_.get()})
    while (side->next(rest)) {
    }
  for (const auto& [side, path] : {std::pair(source_.get(), &source_path_), std::pair(target_.get(), &target_path_)})
    if (side->count() == 0) throw Error(fmt::format("{}: cannot read '{}': there is no line in it", key_, *path));
  if (source_->count() != target_->count())
    throw Error(fmt::format("{}: '{}' has {} lines, but '{}' has {}; parallel files need the same number", key_,
                            source_path_, source_->count(), target_path_, target_->count()));
  if (read_ == empty_) throw Error(fmt::format("{}: all {} pairs have an empty side", key_, read_));
}

}  // namespace attnlab::data
