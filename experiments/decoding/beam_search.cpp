#include "experiments/decoding/beam_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnlab::decoding {
namespace {

/// Prefixes as a tree: a token and its parent. Hypotheses share what they have in common.
class Prefixes {
 public:
  static constexpr int64_t kRoot = -1;

  int64_t extend(int64_t parent, int32_t token) {
    nodes_.push_back({parent, token});
    return static_cast<int64_t>(nodes_.size()) - 1;
  }
  Ids ids(int64_t node) const {
    Ids ids;
    for (; node != kRoot; node = nodes_[static_cast<size_t>(node)].parent)
      ids.push_back(nodes_[static_cast<size_t>(node)].token);
    std::reverse(ids.begin(), ids.end());
    return ids;
  }

 private:
  struct Node {
    int64_t parent;
    int32_t token;
  };
  std::vector<Node> nodes_;
};

/// An open hypothesis: the model's row that holds its prefix without `token`, which is to be fed next.
struct Open {
  int64_t row;
  int32_t token;
  double log_probability;
  int64_t node;
};

struct Candidate {
  size_t parent;  // among the open hypotheses
  int32_t token;
  double log_probability;
};

bool better(const Candidate& a, const Candidate& b) {
  if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
  return a.parent != b.parent ? a.parent < b.parent : a.token < b.token;
}

/// The part of the search that belongs to one sentence.
class SentenceBeam {
 public:
  SentenceBeam(int64_t sentence, int64_t limit, const SearchOptions& options)
      : sentence_(sentence), limit_(limit), options_(&options), open_{{sentence, options.bos, 0.0, Prefixes::kRoot}} {}

  int64_t sentence() const { return sentence_; }
  const std::vector<Open>& open() const { return open_; }

  /// Takes the best extensions; the rows of `best` that belong to this sentence begin at `first_row`.
  void advance(const TopK& best, int64_t first_row) {
    ++length_;
    const std::vector<Candidate> chosen = choose(candidates(best, first_row));
    std::vector<Open> open;
    for (const Candidate& candidate : chosen) {
      const Open& parent = open_[candidate.parent];
      if (candidate.token == options_->eos) {
        finish(parent.node, candidate.log_probability);
      } else {
        const int64_t node = prefixes_.extend(parent.node, candidate.token);
        open.push_back(
            {first_row + static_cast<int64_t>(candidate.parent), candidate.token, candidate.log_probability, node});
      }
    }
    if (chosen.empty()) --length_;  // nothing can follow (NaN, or all is banned): what is open is cut here
    if (!chosen.empty()) open_ = std::move(open);
    if (chosen.empty() || length_ == limit_) cut();
  }

  bool done() const { return open_.empty() || (has_enough() && !open_can_win()); }

  std::vector<Hypothesis> result() const {
    std::vector<Hypothesis> best = sorted(finished_);
    for (Hypothesis& hypothesis : sorted(cut_)) best.push_back(std::move(hypothesis));
    if (static_cast<int64_t>(best.size()) > options_->n_best) best.resize(static_cast<size_t>(options_->n_best));
    return best;
  }

 private:
  std::vector<Candidate> candidates(const TopK& best, int64_t first_row) const {
    std::vector<Candidate> all;
    all.reserve(open_.size() * static_cast<size_t>(best.k));
    for (size_t parent = 0; parent < open_.size(); ++parent) {
      const int64_t row = first_row + static_cast<int64_t>(parent);
      for (int64_t rank = 0; rank < best.k && best.token_of(row, rank) >= 0; ++rank) {
        all.push_back(
            {parent, best.token_of(row, rank), open_[parent].log_probability + best.log_probability_of(row, rank)});
      }
    }
    return all;
  }

  std::vector<Candidate> choose(std::vector<Candidate> all) const {
    const size_t places = std::min(all.size(), static_cast<size_t>(options_->beam) - finished_.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(places), all.end(), better);
    all.resize(places);
    return all;
  }

  void finish(int64_t node, double log_probability) {
    finished_.push_back(
        {prefixes_.ids(node), options_->penalty.score(log_probability, length_), log_probability, /*finished=*/true});
  }

  void cut() {
    for (const Open& open : open_) {
      const double score = options_->penalty.score(open.log_probability, std::max<int64_t>(length_, 1));
      cut_.push_back({prefixes_.ids(open.node), score, open.log_probability, /*finished=*/false});
    }
    open_.clear();
  }

  bool has_enough() const { return static_cast<int64_t>(finished_.size()) >= options_->n_best; }

  bool open_can_win() const {
    const double worst_kept = sorted(finished_)[static_cast<size_t>(options_->n_best - 1)].score;
    return options_->penalty.bound(open_.front().log_probability, length_ + 1, limit_) > worst_kept;
  }

  /// Best first; the one found earlier first among equals.
  static std::vector<Hypothesis> sorted(std::vector<Hypothesis> hypotheses) {
    std::stable_sort(hypotheses.begin(), hypotheses.end(),
                     [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
    return hypotheses;
  }

  int64_t sentence_, limit_;
  int64_t length_ = 0;
  const SearchOptions* options_;
  Prefixes prefixes_;
  std::vector<Open> open_;  // best first
  std::vector<Hypothesis> finished_, cut_;
};

/// The rows that the model must hold for the next step, and the tokens that it gets.
struct NextStep {
  std::vector<int64_t> rows, tokens;
};

NextStep next_step(const std::vector<SentenceBeam>& beams) {
  NextStep next;
  for (const SentenceBeam& beam : beams) {
    for (const Open& open : beam.open()) {
      next.rows.push_back(open.row);
      next.tokens.push_back(open.token);
    }
  }
  return next;
}

/// True if `rows` names all `count` rows in their order, so that nothing has to move.
bool is_identity(const std::vector<int64_t>& rows, int64_t count) {
  if (static_cast<int64_t>(rows.size()) != count) return false;
  for (int64_t i = 0; i < count; ++i) {
    if (rows[static_cast<size_t>(i)] != i) return false;
  }
  return true;
}

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search(StepModel& model, const std::vector<int64_t>& limits,
                                                 const SearchOptions& options) {
  std::vector<std::vector<Hypothesis>> results(limits.size());
  std::vector<SentenceBeam> beams;
  for (size_t b = 0; b < limits.size(); ++b) beams.emplace_back(static_cast<int64_t>(b), limits[b], options);

  const Bans bans(options);
  auto rows = static_cast<int64_t>(limits.size());
  for (int64_t length = 1; !beams.empty(); ++length) {
    const NextStep next = next_step(beams);
    if (!is_identity(next.rows, rows)) model.select(next.rows);
    rows = static_cast<int64_t>(next.rows.size());
    const TopK best = model.best(next.tokens, options.beam, bans.at(length));

    int64_t first_row = 0;
    for (SentenceBeam& beam : beams) {
      const auto width = static_cast<int64_t>(beam.open().size());
      beam.advance(best, first_row);
      first_row += width;
    }
    for (const SentenceBeam& beam : beams) {
      if (beam.done()) results[static_cast<size_t>(beam.sentence())] = beam.result();
    }
    std::erase_if(beams, [](const SentenceBeam& beam) { return beam.done(); });
  }
  return results;
}

}  // namespace attnlab::decoding
