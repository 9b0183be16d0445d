#pragma once
/// One run of the command: checks, reading, scoring, printing, in the original's order, since that decides which
/// message comes.

#include <memory>
#include <string>
#include <vector>

#include "sacrebleu/command/command.h"
#include "sacrebleu/command/options.h"
#include "sacrebleu/command/report.h"
#include "sacrebleu/command/test_sets.h"
#include "sacrebleu/metric.h"

namespace sacrebleu {

class Session {
 public:
  Session(CommandOptions options, const CommandStreams& streams);
  /// Throws Exit or Error for everything that ends the command early.
  void run();

 private:
  struct System {
    std::string name;
    std::vector<std::string> lines;
  };

  void refuse_dataset_options() const;
  void list_test_sets() const;
  void check_options() const;
  void check_test_sets() const;
  void echo() const;
  [[nodiscard]] std::vector<std::string> test_sets() const;

  void read_references();
  void read_systems();
  void read_systems_from_input();
  void read_systems_from_files();
  void name_baseline();
  void check_systems() const;

  void make_metrics();
  void score_sentences() const;
  void score_one_system() const;
  void score_systems() const;
  [[nodiscard]] std::vector<SystemColumn> plain_columns() const;
  [[nodiscard]] std::vector<SystemColumn> paired_columns() const;
  [[nodiscard]] CorpusOptions corpus_options() const;
  [[nodiscard]] Score::Format score_format() const;
  [[nodiscard]] int threads() const;

  void info(const std::string& message) const { log(LogLevel::info, message); }
  void log(LogLevel level, const std::string& message) const;
  /// Logs the messages as errors and ends the command.
  [[noreturn]] void stop(const std::vector<std::string>& messages, int code = 1) const;
  void print(const std::string& text) const;

  CommandOptions options_;
  const CommandStreams& streams_;
  TestSetFolder folder_;
  Palette palette_;
  std::vector<std::vector<std::string>> references_;
  std::vector<System> systems_;
  std::vector<std::unique_ptr<Metric>> metrics_;  ///< in the order BLEU, chrF, TER
};

}  // namespace sacrebleu
