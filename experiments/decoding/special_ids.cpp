#include "experiments/decoding/special_ids.h"

namespace attnlab::decoding {

SpecialIds special_ids(const tokenizer::Tokenizer& target) {
  SpecialIds special{target.unk(), target.bos(), target.eos(), target.control_ids()};
  std::erase(special.silent, special.eos);
  return special;
}

}  // namespace attnlab::decoding
