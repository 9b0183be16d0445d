#pragma once
/// The pictures of a sweep.

#include <optional>
#include <string>
#include <vector>

#include "experiments/page/svg.h"
#include "experiments/results/curves.h"
#include "experiments/results/effects.h"
#include "experiments/results/published.h"
#include "experiments/results/summary.h"

namespace attnlab::results {

/// Every cell as a row, best first: its mean and its seeds. Nothing if fewer than two cells have the main metric.
std::optional<page::Svg> draw_cells(const SweepSummary& summary, const Grid& grid);

/// Differences of all levels to the references, with their intervals. Nothing if there is no difference.
std::optional<page::Svg> draw_effects(const SweepResults& results, const Grid& grid, const Effects& effects);

/// Means of two factors' levels: levels of the first from left to right, a line for each level of the second. Nothing
/// if there is no mean.
std::optional<page::Svg> draw_interaction(const SweepResults& results, const Grid& grid,
                                          const Interaction& interaction);

/// Published differences to the baseline beside ours, a row for each cell. Nothing if there is none.
std::optional<page::Svg> draw_published(const SweepResults& results, const Grid& grid,
                                        const PublishedMetric& published);

enum class Loss { train, valid };

/// What a picture of learning curves shows, also for the page that redraws it.
struct CurvesFigure {
  page::Svg svg;
  int colour_factor = -1;                           ///< of the grid; -1: each cell has its own colour
  double left = 0, top = 0, right = 0, bottom = 0;  ///< frame, pixels
};

/// Nothing if nothing was logged.
std::optional<CurvesFigure> draw_curves(const SweepSummary& summary, const Grid& grid, const Effects& effects,
                                        const LearningCurves& curves, Loss loss);

/// "Validation loss (nats per token)".
std::string loss_label(Loss loss);

/// A curve of a line.
const MeanCurve& curve_of(const Line& line, Loss loss);

}  // namespace attnlab::results
