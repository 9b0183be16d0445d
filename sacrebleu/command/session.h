#pragma once
/// One run of the command: checks, reading, scoring, printing, in the original's order, since that decides which
/// message comes.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sacrebleu/command/command.h"
#include "sacrebleu/command/line_reader.h"
#include "sacrebleu/command/options.h"
#include "sacrebleu/command/report.h"
#include "sacrebleu/command/test_sets.h"
#include "sacrebleu/corpus_sums.h"
#include "sacrebleu/metric.h"

namespace sacrebleu {

class Session {
 public:
  /// block_lines: as in run_command.
  Session(CommandOptions options, const CommandStreams& streams, std::size_t block_lines);
  /// Throws Exit or Error for everything that ends the command early.
  void run();

 private:
  struct System {
    std::string name;
    std::vector<std::string> lines;
  };
  using TakeReference = std::function<void(std::size_t stream, std::string_view line)>;

  void refuse_dataset_options() const;
  void list_test_sets() const;
  void check_options() const;
  void check_test_sets() const;
  void echo() const;
  [[nodiscard]] std::vector<std::string> test_sets() const;

  void find_references();
  [[nodiscard]] std::size_t reference_streams() const;
  /// Calls take(stream, line) for every reference.
  void read_reference_files(const TakeReference& take) const;
  void read_reference_file(const std::string& file, std::size_t stream, const TakeReference& take) const;
  void read_references();
  void read_systems();
  void read_systems_from_input();
  void read_systems_from_files();
  [[noreturn]] void refuse_fields() const;
  void name_baseline();
  void check_systems() const;
  void check_lengths(std::size_t lines, const std::vector<std::size_t>& references) const;

  [[nodiscard]] bool may_stream() const;
  [[nodiscard]] bool input_has_one_column();
  [[nodiscard]] std::vector<std::size_t> count_references() const;
  void score_stream(const std::vector<std::size_t>& lengths);
  [[nodiscard]] std::size_t add_blocks(LineReader& hypotheses, std::size_t references,
                                       std::vector<CorpusSums>& sums) const;

  void make_metrics(const Log& log);
  void score_sentences() const;
  void score_one_system() const;
  void score_systems() const;
  void print_results(const std::vector<std::string>& results) const;
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
  std::size_t block_lines_;
  LineReader input_;                                       ///< the standard input
  std::vector<std::vector<std::string>> reference_files_;  ///< of each test set
  std::vector<std::vector<std::string>> references_;
  std::vector<System> systems_;
  std::vector<std::unique_ptr<Metric>> metrics_;  ///< in the order BLEU, chrF, TER
};

}  // namespace sacrebleu
