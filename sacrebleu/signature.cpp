#include "sacrebleu/signature.h"

namespace sacrebleu {

Signature::Signature(int references) : references_(references < 0 ? "var" : std::to_string(references)) {}

void Signature::add(const std::string& name, const std::string& short_name, const std::string& value) {
  fields_.push_back({name, short_name, value});
}

void Signature::set_samples(const std::string& test, int samples) {
  (test == "ar" ? randomisation_ : bootstrap_) = std::to_string(samples);
}

void Signature::set_seed(const std::string& seed) {
  seed_ = seed;
}

std::vector<Signature::Field> Signature::fields() const {
  std::vector<Field> all;
  const auto add_if_set = [&all](const char* name, const char* short_name, const std::string& value) {
    if (!value.empty()) all.push_back({name, short_name, value});
  };
  add_if_set("nrefs", "#", references_);
  add_if_set("bs", "bs", bootstrap_);
  add_if_set("ar", "ar", randomisation_);
  add_if_set("seed", "rs", seed_);
  all.insert(all.end(), fields_.begin(), fields_.end());
  all.push_back({"version", "v", kVersion});
  return all;
}

std::string Signature::format(bool shorter) const {
  std::string text;
  for (const auto& field : fields()) {
    if (!text.empty()) text += '|';
    text += (shorter ? field.short_name : field.name) + ':' + field.value;
  }
  return text;
}

}  // namespace sacrebleu
