#include "experiments/training/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "support/error.h"

namespace attnlab::training {
namespace {

double noam(double step, double d_model, const spec::ScheduleConfig& schedule) {
  const auto warmup = static_cast<double>(schedule.warmup);
  const double decay = 1.0 / std::sqrt(step);
  const double rise = warmup > 0 ? step * std::pow(warmup, -1.5) : decay;
  return schedule.factor / std::sqrt(d_model) * std::min(decay, rise);
}

void require_known(const std::string& type) {
  for (const char* known : {"inverse_sqrt", "constant", "linear", "cosine"}) {
    if (type == known) return;
  }
  throw Error(fmt::format(
      "training.schedule.type: '{}' is unknown; expected noam, inverse_sqrt, constant, linear or cosine", type));
}

}  // namespace

double learning_rate(int64_t step, int64_t d_model, const spec::ScheduleConfig& schedule, int64_t total_steps) {
  const auto t = static_cast<double>(step);
  if (schedule.type == "noam") return noam(t, static_cast<double>(d_model), schedule);

  require_known(schedule.type);
  const auto warmup = static_cast<double>(std::max<int64_t>(schedule.warmup, 1));
  if (t <= warmup) return schedule.peak * t / warmup;
  if (schedule.type == "constant") return schedule.peak;
  if (schedule.type == "inverse_sqrt") return schedule.peak * std::sqrt(warmup / t);

  const double done = std::min(1.0, (t - warmup) / (static_cast<double>(total_steps) - warmup));
  if (schedule.type == "linear") return schedule.peak + (schedule.final_rate - schedule.peak) * done;
  return schedule.final_rate + (schedule.peak - schedule.final_rate) * 0.5 * (1.0 + std::cos(std::numbers::pi * done));
}

}  // namespace attnlab::training
