#include "modules/positions/none.h"

namespace attnlab::modules {

std::shared_ptr<Positions> make_no_positions(const PositionOptions&, const TransformerOptions&, Stack) {
  return std::make_shared<Positions>();
}

}  // namespace attnlab::modules
