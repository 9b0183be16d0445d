#pragma once
/// What dropout is inside: one mask, drawn block by block. For operations that drop on their way; others use
/// `dropout.h`.

#include "modules/cpu/drop.h"
#include "modules/dropout.h"

namespace attnlab::modules {

/// One mask: its name and its rate. A backward pass that has it draws the mask of the forward pass again.
struct Drawing {
  DropoutKey key;
  double rate = 0;
  int64_t first = 0;  ///< where the elements at hand begin in the mask of the whole batch
};

/// The next mask of `stream` for rows of so many elements.
Drawing next_for_rows(DropoutStream& stream, double rate, int64_t width);
/// The next mask of `stream` for sentences of so many elements: all heads' weights.
Drawing next_for_sentences(DropoutStream& stream, double rate, int64_t elements);

/// The mask as the CPU's loops take it.
cpu::Mask mask_of(const Drawing& drawing);

/// Keeps `drawing` in an autograd node, and reads it back.
void save(torch::autograd::AutogradContext* context, const Drawing& drawing);
Drawing saved_drawing(torch::autograd::AutogradContext* context);

/// True if something is dropped. Throws std::invalid_argument unless 0 <= rate < 1.
bool drops(double rate, const DropoutStream* stream);

}  // namespace attnlab::modules
