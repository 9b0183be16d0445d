#include "experiments/inspection/training_inspector.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "experiments/inspection/capture.h"
#include "experiments/inspection/sentence.h"
#include "experiments/inspection/writer.h"

namespace attnlab::inspection {

TrainingInspector::TrainingInspector(const InspectionConfig& config, std::filesystem::path folder,
                                     const data::Dataset& dataset)
    : config_(config), folder_(std::move(folder)) {
  const auto count = std::min(static_cast<size_t>(std::max<int64_t>(0, config.sentences)), dataset.valid.size());
  for (size_t i = 0; i < count && config.every > 0; ++i) {
    tokenizer::Ids source = dataset.valid[i].source, target = dataset.valid[i].target;
    source.pop_back();  // eos, which make_sentence adds
    target.pop_back();
    sentences_.push_back(make_sentence(static_cast<int64_t>(i), dataset.source_tokenizer, dataset.target_tokenizer,
                                       source, target, dataset.corpus.valid.source[i], dataset.corpus.valid.target[i]));
  }
}

void TrainingInspector::stepped(modules::Transformer& model, int64_t step) {
  if (config_.every <= 0 || step % config_.every != 0 || sentences_.empty()) return;
  std::filesystem::create_directories(folder_);
  const ExportPlan plan{sentences_,
                        parse_selection("all", "all", "all", model->options()),
                        model->options(),
                        {{"step", fmt::format("{}", step)}}};
  const auto writer = make_safetensors_writer(folder_ / fmt::format("step-{:08}.safetensors", step), plan);
  capture(model, plan.sentences, plan.selection, [&](const SentenceMaps& maps) { writer->write(maps); });
  writer->finish();
}

}  // namespace attnlab::inspection
