#pragma once
/// What the command prints: single results, tables of several systems, and the explanation of paired tests.

#include <string>
#include <utility>
#include <vector>

#include "sacrebleu/command/options.h"
#include "sacrebleu/significance.h"

namespace sacrebleu {

/// Terminal colours, which are left out unless enabled.
class Palette {
 public:
  explicit Palette(bool enabled) : enabled_(enabled) {}
  [[nodiscard]] std::string red(const std::string& text) const { return paint(text, 31); }
  [[nodiscard]] std::string green(const std::string& text) const { return paint(text, 32); }
  [[nodiscard]] std::string yellow(const std::string& text) const { return paint(text, 33); }
  [[nodiscard]] std::string cyan(const std::string& text) const { return paint(text, 36); }

 private:
  [[nodiscard]] std::string paint(const std::string& text, int code) const;
  bool enabled_;
};

/// One metric of several systems: their scores as text, or results of a paired test.
struct SystemColumn {
  std::string name, signature;
  std::vector<std::string> scores;
  std::vector<PairedResult> results;
};

/// The scores of one system, one string a metric, aligned at their equals signs.
std::string report_single(std::vector<std::string> results, OutputFormat format, const Palette& palette);

std::string report_systems(const std::vector<std::string>& systems, const std::vector<SystemColumn>& columns,
                           const CommandOptions& options, const Palette& palette);

}  // namespace sacrebleu
