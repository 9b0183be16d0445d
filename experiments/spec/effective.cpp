#include "experiments/spec/effective.h"

#include "experiments/spec/generators.h"
#include "modules/positions/registry.h"

namespace attnlab::spec {
namespace {

modules::PositionOptions effective(const modules::PositionOptions& given) {
  modules::PositionOptions result;
  result.type = given.type;
  const modules::PositionVariant* method = modules::find_positions(given.type);
  if (method == nullptr) return given;
  if (method->traits.bounded) {
    result.max_length = given.max_length;
    result.beyond = given.beyond;
  }
  if (!method->traits.layouts.empty()) {
    result.layout = given.layout;
    result.base = given.base;
  }
  if (method->traits.divides_width) result.sinusoidal_width = given.sinusoidal_width;
  if (method->traits.limits_distance) result.max_distance = given.max_distance;
  if (method->traits.has_buckets) result.buckets = given.buckets;
  return result;
}

ScheduleConfig effective(const ScheduleConfig& given) {
  ScheduleConfig result;
  result.type = given.type;
  result.warmup = given.warmup;
  if (given.type == "noam") {
    result.factor = given.factor;
  } else {
    result.peak = given.peak;
  }
  if (given.type == "linear" || given.type == "cosine") result.final_rate = given.final_rate;
  return result;
}

/// Keys of generators beside files, and the other way round.
DataConfig effective(DataConfig data) {
  const DataConfig initial;
  if (data.generator.empty()) {
    data.seed = initial.seed;
  } else {
    data.source = initial.source;
    data.target = initial.target;
    data.train = initial.train;
    data.valid = initial.valid;
    data.test = initial.test;
    data.bad_utf8 = initial.bad_utf8;
  }
  if (!has_symbols(data.generator)) {
    data.symbols = initial.symbols;
    data.min_length = initial.min_length;
    data.max_length = initial.max_length;
  }
  return data;
}

}  // namespace

RunConfig effective(RunConfig config) {
  config.data = effective(std::move(config.data));
  config.model.encoder_positions = effective(config.model.encoder_positions);
  config.model.decoder_positions = effective(config.model.decoder_positions);
  config.training.schedule = effective(config.training.schedule);
  if (config.training.label_smoothing == 0) config.training.label_smoothing_rule = "vocab";
  if (config.training.evaluate != "average") config.training.average_last = 0;
  if (config.decoding.beam == 1) config.decoding.length_penalty = "none";
  if (config.decoding.length_penalty == "none") config.decoding.alpha = 0;
  if (config.inspection.every == 0) config.inspection.sentences = InspectionConfig().sentences;
  return config;
}

}  // namespace attnlab::spec
