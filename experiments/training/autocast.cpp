#include "experiments/training/autocast.h"

#include <ATen/autocast_mode.h>
#include <fmt/format.h>

#include "modules/bf16_product.h"
#include "support/error.h"

namespace attnlab::training {

Precision precision(const std::string& name) {
  if (name == "fp32") return Precision::fp32;
  if (name == "bf16") return Precision::bf16;
  throw Error(fmt::format("training.precision: '{}' is unknown; expected fp32 or bf16", name));
}

Autocast::Autocast(torch::DeviceType device, Precision precision)
    : device_(device),
      was_enabled_(at::autocast::is_autocast_enabled(device)),
      former_type_(at::autocast::get_autocast_dtype(device)) {
  const bool own = precision == Precision::bf16 && device == torch::kCPU && modules::has_bf16_products();
  if (own) products_.emplace();
  at::autocast::set_autocast_enabled(device, precision == Precision::bf16 && !own);
  if (precision == Precision::bf16) at::autocast::set_autocast_dtype(device, at::kBFloat16);
}

Autocast::~Autocast() {
  at::autocast::set_autocast_enabled(device_, was_enabled_);
  at::autocast::set_autocast_dtype(device_, former_type_);
  if (!was_enabled_) at::autocast::clear_cache();
}

}  // namespace attnlab::training
