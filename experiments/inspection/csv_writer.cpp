// One line for each sentence and head.

#include <string>
#include <utility>

#include <fmt/format.h>

#include "experiments/inspection/analyses/summary.h"
#include "experiments/inspection/atomic_stream.h"
#include "experiments/inspection/writer.h"

namespace attnlab::inspection {

namespace {

/// The numbers that come from weights alone; the others belong to whole sets and stand in heads.csv.
constexpr size_t kColumns = 12;

class CsvWriter : public AttentionWriter {
 public:
  explicit CsvWriter(const std::filesystem::path& path) : stream_(path) {
    std::string line = "sentence,kind,layer,head";
    const auto columns = summary_columns();
    for (size_t i = 0; i < kColumns; ++i) line += "," + columns[i];
    stream_.write(line + "\n");
  }

  void write(const Sentence& sentence, const KindMaps& part) override { heads_.add(sentence, part); }

  void end_sentence(const Sentence& sentence) override {
    std::string lines;
    for (const HeadSummary& head : std::exchange(heads_, {}).result()) {
      lines +=
          fmt::format("{},{},{},{}", sentence.id, to_string(head.address.kind), head.address.layer, head.address.head);
      const auto cells = summary_cells(head);
      for (size_t i = 0; i < kColumns; ++i) lines += "," + cells[i];
      lines += "\n";
    }
    stream_.write(lines);
  }

  void finish() override { stream_.commit(); }

 private:
  AtomicStream stream_;
  SummaryBuilder heads_;  // of the sentence that is being written
};

}  // namespace

std::unique_ptr<AttentionWriter> make_csv_writer(const std::filesystem::path& path, const ExportPlan&) {
  return std::make_unique<CsvWriter>(path);
}

}  // namespace attnlab::inspection
