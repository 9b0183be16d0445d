#pragma once
/// The offline page: one HTML file with everything in it, written while sentences come in.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/inspection/analyses/summary.h"
#include "experiments/inspection/atomic_stream.h"
#include "experiments/inspection/writer.h"

namespace attnlab::inspection {

/// Weights are stored as round(65535 a) in 16 bits: half a step is the largest error.
inline constexpr double kPageError = 0.5 / 65535;

/// Writes the page of one run, or of several side by side. For each run: `begin_run`, `write` for each of its
/// sentences, `end_run`. All runs must have the same sources. The file asks for nothing outside itself, and its content
/// security policy forbids it to.
class PageWriter : public AttentionWriter {
 public:
  PageWriter(const std::filesystem::path& path, const std::string& title);

  void begin_run(const std::string& name, const ExportPlan& plan);
  void write(const Sentence& sentence, const KindMaps& part) override;
  void end_sentence(const Sentence& sentence) override;
  /// `heads` are the numbers that the page shows and `note` says over what they were taken; empty: those of the
  /// exported sentences.
  void end_run(std::vector<HeadSummary> heads = {}, std::string note = {});
  /// Throws attnlab::Error if the runs have different sources.
  void finish() override;

 private:
  struct Run {
    std::string name, note;
    ExportPlan plan;
    std::vector<HeadSummary> heads;
  };

  void close_weights();

  AtomicStream stream_;
  std::optional<AttentionKind> open_;  // whose weights are being written
  std::string rest_;                   // of them, what fills no group of base64
  std::string title_;
  std::vector<Run> runs_;
  SummaryBuilder summary_;
  int64_t next_sentence_ = 0;
};

/// [..] float32 weights as little-endian 16-bit numbers.
std::string sixteen_bits(const torch::Tensor& weights);

}  // namespace attnlab::inspection
