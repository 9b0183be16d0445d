#include "experiments/training/early_stopping.h"

#include <cmath>

namespace attnlab::training {

bool note_validation(checkpoint::Progress& progress, double loss) {
  const bool best = std::isfinite(loss) && loss < progress.best_loss;
  progress.without_gain = best ? 0 : progress.without_gain + 1;
  if (best) {
    progress.best_loss = loss;
    progress.best_step = progress.step;
  }
  return best;
}

bool out_of_patience(const checkpoint::Progress& progress, int64_t patience) {
  return patience > 0 && progress.without_gain >= patience;
}

}  // namespace attnlab::training
