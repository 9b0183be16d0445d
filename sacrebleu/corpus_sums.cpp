#include "sacrebleu/corpus_sums.h"

namespace sacrebleu {

void CorpusSums::add(std::span<const std::string> hypotheses, const References& references) {
  tokenised_ += metric_->count_tokenised(hypotheses);
  if (error_) return;
  try {
    const std::size_t width = metric_->width();
    sums_.resize(width);
    rows_.assign(hypotheses.size() * width, 0.0);
    metric_->write_rows(hypotheses, references, {added_, lines_}, threads_, rows_);
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
      for (std::size_t k = 0; k < width; ++k) sums_[k] += rows_[i * width + k];
    }
    added_ += hypotheses.size();
  } catch (...) {
    error_ = std::current_exception();
  }
}

Score CorpusSums::score(int references) const {
  metric_->inspect(tokenised_);
  if (error_) std::rethrow_exception(error_);
  metric_->require_width(lines_);
  return metric_->score(sums_, references);
}

}  // namespace sacrebleu
