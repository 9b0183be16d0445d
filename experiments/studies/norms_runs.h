#pragma once
/// What the study of norms reads of its runs.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/results/summary.h"
#include "experiments/studies/study.h"

namespace attnlab::studies {

// The keys that the study varies; the rate is the factor of the schedule noam, else the peak.
inline constexpr const char* kPlacement = "model.norm.placement";
inline constexpr const char* kNorm = "model.norm.type";
inline constexpr const char* kWarmup = "training.schedule.warmup";
inline constexpr const char* kPeak = "training.schedule.peak";
inline constexpr const char* kFactor = "training.schedule.factor";

/// A validation loss of at least this share of the unigram loss (probe `chance`) counts as not trained: the model has
/// hardly learnt to look at its input.
inline constexpr double kStuckShare = 0.8;
/// Speed is the first step whose validation loss is at most this share of the unigram loss, unless a value is given.
inline constexpr double kReachedShare = 0.5;

/// How a training ended.
enum class Ending {
  pending,   ///< not yet, or failed for another reason
  diverged,  ///< its loss or gradient was not finite, or exploded
  stuck,     ///< its lowest validation loss is at least `kStuckShare` of the unigram loss
  trains
};

/// `losses` as of `validation_losses`; `unigram` NaN if it is not known: then only divergence is seen.
Ending ending_of(run_folder::Status status, const std::vector<std::pair<int64_t, double>>& losses, double unigram);

/// One run. Losses are in nats per piece.
struct NormRun {
  int64_t seed = 0;
  Ending ending = Ending::pending;
  double unigram = std::numeric_limits<double>::quiet_NaN();  ///< loss of the probe `chance`; NaN: not known
  double target = std::numeric_limits<double>::quiet_NaN();   ///< the loss that counts as reached; NaN: not known
  std::optional<int64_t> reached;                             ///< first step whose validation loss is the target's
  double lowest = std::numeric_limits<double>::infinity();    ///< validation loss
  Json gradients;                                             ///< of the probe `gradients`; null: none
};

/// How many runs ended in each way.
struct Counts {
  int trains = 0, stuck = 0, diverged = 0, pending = 0;
  int ended() const { return trains + stuck + diverged; }
};

Counts count(const std::vector<NormRun>& runs);

/// Mean over runs of the decoder's (or encoder's) gradient norms of one sub-layer, by layer from 1.
SeedMeans gradient_curve(const std::vector<NormRun>& runs, const std::string& when, const std::string& stack,
                         const std::string& part);

/// "2/3 train, 1 stuck"; "-" if none has ended.
std::string outcome_text(const Counts& counts);

/// The cells of the sweep with what was read of their runs.
struct NormCells {
  results::SweepSummary summary;
  std::vector<std::vector<NormRun>> runs;
};

/// Reads the runs in `out`, as far as they got. `target`: as of `report_norms`.
NormCells read_cells(const std::filesystem::path& out, std::optional<double> target);

/// A cell's learning rate and warm-up, in words.
std::string rate_of(const Json& factors);
std::string warmup_of(const Json& factors);

}  // namespace attnlab::studies
