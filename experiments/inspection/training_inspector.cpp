#include "experiments/inspection/training_inspector.h"

#include <utility>

#include <fmt/format.h>

#include "experiments/inspection/capture.h"
#include "experiments/inspection/sentence.h"
#include "experiments/inspection/writer.h"
#include "support/files.h"

namespace attnlab::inspection {

TrainingInspector::TrainingInspector(const spec::InspectionConfig& config, std::filesystem::path folder,
                                     const data::Dataset& dataset)
    : config_(config), folder_(std::move(folder)) {
  if (config.every > 0) sentences_ = given_sentences(dataset, dataset.corpus.valid, dataset.valid, config.sentences);
}

void TrainingInspector::stepped(modules::Transformer& model, int64_t step) {
  if (config_.every <= 0 || step % config_.every != 0 || sentences_.empty()) return;
  make_folder(folder_);
  const ExportPlan plan{sentences_,
                        parse_selection("all", "all", "all", model->options()),
                        model->options(),
                        {{"step", fmt::format("{}", step)}}};
  const auto writer = make_safetensors_writer(folder_ / fmt::format("step-{:08}.safetensors", step), plan);
  capture(model, plan.sentences, plan.selection, *writer);
  writer->finish();
}

}  // namespace attnlab::inspection
