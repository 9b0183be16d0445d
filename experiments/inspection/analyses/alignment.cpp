#include "experiments/inspection/analyses/alignment.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "experiments/data/parallel_text.h"
#include "support/error.h"
#include "tokenizer/blanks.h"

namespace attnlab::inspection {

namespace {

bool within(const std::vector<Link>& links, int64_t sources, int64_t targets) {
  return std::all_of(links.begin(), links.end(),
                     [&](const Link& link) { return link.first < sources && link.second < targets; });
}

int64_t words_in(const std::string& text) {
  const std::string plain = tokenizer::with_plain_blanks(text);
  return plain.empty() ? 0 : std::count(plain.begin(), plain.end(), ' ') + 1;
}

void require_word(int word, int64_t words, std::string_view side, const std::string& where) {
  if (word < words) return;
  throw Error(
      fmt::format("{}: a link names {} word {}, but the {} sentence has {} word{}, counted from 0; check that the line "
                  "belongs to this sentence",
                  where, side, word, side, words, words == 1 ? "" : "s"));
}

}  // namespace

void AlignmentErrorRate::add(const std::vector<Link>& links, const GoldLinks& gold) {
  const std::set<Link> sure(gold.sure.begin(), gold.sure.end());
  std::set<Link> possible(gold.possible.begin(), gold.possible.end());
  possible.insert(sure.begin(), sure.end());
  for (const Link& link : std::set<Link>(links.begin(), links.end())) {
    ++links_;
    in_sure_ += sure.count(link) > 0 ? 1 : 0;
    in_possible_ += possible.count(link) > 0 ? 1 : 0;
  }
  sure_ += static_cast<int64_t>(sure.size());
}

double AlignmentErrorRate::value() const {
  if (links_ + sure_ == 0) return std::numeric_limits<double>::quiet_NaN();
  return 1 - static_cast<double>(in_sure_ + in_possible_) / static_cast<double>(links_ + sure_);
}

void AlignmentScorer::add(const SentenceMaps& maps, const GoldLinks& gold) {
  const auto cross = std::find_if(maps.kinds.begin(), maps.kinds.end(),
                                  [](const KindMaps& kind) { return kind.kind == AttentionKind::cross; });
  if (cross == maps.kinds.end()) return;
  begin(maps.sentence, gold);
  add(maps.sentence, *cross, gold);
}

void AlignmentScorer::begin(const Sentence& sentence, const GoldLinks& gold) {
  const int64_t sources = word_count(sentence.source), targets = word_count(sentence.predicted);
  fits_ = sources > 0 && targets > 0 && within(gold.sure, sources, targets) && within(gold.possible, sources, targets);
  ++(fits_ ? sentences_ : skipped_);
}

void AlignmentScorer::add(const Sentence& sentence, const KindMaps& part, const GoldLinks& gold) {
  if (!fits_ || part.kind != AttentionKind::cross) return;
  const torch::Tensor merged =
      merge_words(part.weights, sentence.predicted, sentence.source);  // [L, H, targets, sources]
  for (size_t l = 0; l < part.layers.size(); ++l) {
    const torch::Tensor layer = merged[static_cast<int64_t>(l)];
    for (size_t h = 0; h < part.heads.size(); ++h) {
      const HeadAddress address{AttentionKind::cross, part.layers[l], part.heads[h]};
      heads_[address].add(strongest_links(layer[static_cast<int64_t>(h)]), gold);
    }
    layers_[part.layers[l]].add(strongest_links(layer.mean(0)), gold);
  }
}

std::map<HeadAddress, double> AlignmentScorer::heads() const {
  std::map<HeadAddress, double> rates;
  for (const auto& [address, rate] : heads_) rates[address] = rate.value();
  return rates;
}

std::map<int64_t, double> AlignmentScorer::layer_means() const {
  std::map<int64_t, double> rates;
  for (const auto& [layer, rate] : layers_) rates[layer] = rate.value();
  return rates;
}

GoldLinks parse_pharaoh(const std::string& line, const std::string& where) {
  GoldLinks gold;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const char* end = word.data() + word.size();
    Link link;
    const auto source = std::from_chars(word.data(), end, link.first);
    const bool separated = source.ec == std::errc() && source.ptr != end &&
                           std::string_view("-?p").find(*source.ptr) != std::string_view::npos;
    const auto target = separated ? std::from_chars(source.ptr + 1, end, link.second)
                                  : std::from_chars_result{end, std::errc::invalid_argument};
    if (target.ec != std::errc() || target.ptr != end || link.first < 0 || link.second < 0) {
      throw Error(
          fmt::format("{}: '{}' is no link; expected source-target with words counted from 0, e.g. 0-0 1-2, or 1?2 for "
                      "a possible one",
                      where, word));
    }
    (*source.ptr == '-' ? gold.sure : gold.possible).push_back(link);
  }
  return gold;
}

std::vector<GoldLinks> read_pharaoh(const std::filesystem::path& path) {
  const std::string text = data::read_text(path, "the alignments");
  std::vector<GoldLinks> all;
  for (const std::string& line : data::split_lines(text, data::BadUtf8::replace, path.string()))
    all.push_back(parse_pharaoh(line, fmt::format("{}:{}", path.string(), all.size() + 1)));
  return all;
}

void require_words(const std::vector<GoldLinks>& links, const std::vector<std::string>& sources,
                   const std::vector<std::string>& targets, const std::filesystem::path& file) {
  for (size_t i = 0; i < links.size(); ++i) {
    const std::string where = fmt::format("{}:{}", file.string(), i + 1);
    const int64_t source_words = words_in(sources[i]), target_words = words_in(targets[i]);
    for (const auto* some : {&links[i].sure, &links[i].possible})
      for (const auto& [source, target] : *some) {
        require_word(source, source_words, "source", where);
        require_word(target, target_words, "target", where);
      }
  }
}

}  // namespace attnlab::inspection
