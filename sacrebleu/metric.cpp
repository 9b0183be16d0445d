#include "sacrebleu/metric.h"

#include <algorithm>

#include <fmt/format.h>

#include "sacrebleu/bootstrap.h"
#include "sacrebleu/corpus_sums.h"
#include "sacrebleu/parallel.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

/// The number of lines to score.
std::size_t common_length(std::size_t hypotheses, const References& references, LengthMismatch mismatch) {
  if (hypotheses == 0) throw Error(ErrorKind::index, "there are no hypotheses: at least one line is needed");
  const auto& streams = references.streams();
  if (streams.empty()) throw Error(ErrorKind::index, "there are no references: at least one stream is needed");
  std::size_t length = hypotheses;
  for (std::size_t k = 0; k < streams.size(); ++k) {
    if (mismatch == LengthMismatch::error && streams[k].size() != hypotheses) {
      throw Error(
          ErrorKind::value,
          fmt::format(
              "reference stream {} has {} lines, but there are {} hypotheses. References are streams: "
              "references[k][i] is the k-th reference of line i. LengthMismatch::cut scores the common lines only.",
              k + 1, streams[k].size(), hypotheses));
    }
    length = std::min(length, streams[k].size());
  }
  if (length == 0)
    throw Error(ErrorKind::index, "a reference stream is empty: every stream needs a line for each hypothesis");
  return length;
}

/// References of a line that all lines share, or -1. The original counts over the references' lines, not the
/// hypotheses'.
int count_references(const References& references) {
  const auto& streams = references.streams();
  std::size_t lines = streams.front().size();
  for (const auto& stream : streams) lines = std::min(lines, stream.size());
  int common = -1;
  for (std::size_t i = 0; i < lines; ++i) {
    const auto count = static_cast<int>(
        std::count_if(streams.begin(), streams.end(), [i](const auto& stream) { return stream[i].has_value(); }));
    if (i > 0 && count != common) return -1;
    common = count;
  }
  return common;
}

}  // namespace

std::vector<double> Statistics::sum() const {
  std::vector<double> sums(width, 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < width; ++k) sums[k] += values[i * width + k];
  }
  return sums;
}

Statistics Metric::statistics(const std::vector<std::string>& hypotheses, const References& references,
                              const CorpusOptions& options) const {
  const std::size_t lines = common_length(hypotheses.size(), references, options.length_mismatch);
  const auto scored = std::span(hypotheses).first(lines);
  inspect(count_tokenised(scored));
  Statistics all{lines, width(), std::vector<double>(lines * width()), count_references(references)};
  write_rows(scored, references, {0, lines}, options.threads, all.values);
  require_width(lines);
  return all;
}

void Metric::write_rows(std::span<const std::string> hypotheses, const References& references, const CorpusPart& part,
                        int threads, std::span<double> rows) const {
  parallel_for(hypotheses.size(), threads, [&](std::size_t begin, std::size_t end) {
    const auto worker = scorer(part.lines);
    std::vector<std::string_view> line_references;
    for (std::size_t i = begin; i < end; ++i) {
      require_utf8(hypotheses[i], "a hypothesis");
      references.of_line(i, line_references);
      for (const auto reference : line_references) require_utf8(reference, "a reference");
      worker->statistics(hypotheses[i], line_references, part.first + i, rows.subspan(i * width(), width()));
    }
  });
}

void Metric::require_width(std::size_t lines) const {
  if (width() == 0 && lines > 1) throw Error(ErrorKind::index, "the metric counts no n-grams: set an order above 0");
}

Statistics Metric::statistics(std::string_view hypothesis, const std::vector<std::string>& references) const {
  std::vector<References::Stream> streams;
  for (const auto& reference : references) streams.push_back({std::string_view(reference)});
  return statistics({std::string(hypothesis)}, References(std::move(streams)));
}

Score Metric::evaluate(const std::vector<std::string>& hypotheses, const References& references,
                       const CorpusOptions& options) const {
  if (options.bootstrap_samples > 1) {
    const Statistics all = statistics(hypotheses, references, options);
    Score result = score(all.sum(), all.references);
    add_confidence(result, all, options);
    return result;
  }
  const std::size_t lines = common_length(hypotheses.size(), references, options.length_mismatch);
  CorpusSums sums(*this, lines, options.threads);
  for (std::size_t first = 0; first < lines; first += kBlockLines) {
    const std::size_t count = std::min(kBlockLines, lines - first);
    sums.add(std::span(hypotheses).subspan(first, count), references.lines(first, count));
  }
  return sums.score(count_references(references));
}

Score Metric::evaluate_sentence(const std::string& hypothesis, const std::vector<std::string>& references) const {
  inspect_sentence();
  const Statistics all = statistics(hypothesis, references);
  return score(all.sum(), all.references);
}

void Metric::add_confidence(Score& score, const Statistics& statistics, const CorpusOptions& options) const {
  if (options.bootstrap_samples <= 1) return;
  score.confidence = bootstrap_interval(*this, statistics, options);
  score.signature.set_samples("bs", options.bootstrap_samples);
  score.signature.set_seed(options.seed.value_or("none"));
}

}  // namespace sacrebleu
