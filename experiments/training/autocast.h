#pragma once
/// Mixed precision as a scope.

#include <optional>
#include <string>

#include "modules/linear.h"
#include "modules/torch.h"

namespace attnlab::training {

enum class Precision { fp32, bf16 };

/// `fp32` or `bf16`. Throws attnlab::Error for other names.
Precision precision(const std::string& name);

/// While it lives, matrix products run in bfloat16 (`bf16`; parameters, norms and the loss stay float32) or everything
/// as written (`fp32`). On a CPU with such products these are our own linear maps and the loss's projection, and what
/// lies between them stays float32; elsewhere it is LibTorch's autocast. At its end the former setting is back and the
/// cast copies of the parameters are dropped, since the next step changes them.
class Autocast {
 public:
  Autocast(torch::DeviceType device, Precision precision);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  torch::DeviceType device_;
  bool was_enabled_;
  at::ScalarType former_type_;
  std::optional<modules::Bf16Products> products_;
};

}  // namespace attnlab::training
