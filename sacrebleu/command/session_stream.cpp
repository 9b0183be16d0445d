// The part of a run that scores one system while it reads it. What is wrong with the text comes before what metrics
// say, so their messages and errors wait until all lines have been read.

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>

#include "sacrebleu/command/fields.h"
#include "sacrebleu/command/held_log.h"
#include "sacrebleu/command/reference_reader.h"
#include "sacrebleu/command/session.h"
#include "sacrebleu/corpus_sums.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

/// The next lines, at most `most`; none at the end. Without trailing whitespace.
void read_block(LineReader& reader, std::size_t most, std::vector<std::string>& block) {
  std::size_t lines = 0;
  for (std::string_view line; lines < most && reader.next(line); ++lines) {
    if (lines == block.size()) block.emplace_back();
    block[lines] = rstrip(line);
  }
  block.resize(lines);
}

bool has_tab(const std::string& line) {
  return line.find('\t') != std::string::npos;
}

}  // namespace

/// Whether one system is scored and nothing needs its lines a second time. The references are read twice, which a pipe
/// cannot be.
bool Session::may_stream() const {
  if (options_.sentence_level || options_.confidence || options_.paired()) return false;
  if (options_.input && options_.input->size() != 1) return false;
  const auto regular = [](const std::string& file) {
    std::error_code unknown;
    return std::filesystem::is_regular_file(file, unknown);
  };
  return reference_files_.size() == 1 && !reference_files_.front().empty() &&
         std::all_of(reference_files_.front().begin(), reference_files_.front().end(), regular);
}

/// The standard input has one system a column.
bool Session::input_has_one_column() {
  std::string_view line;
  return input_.peek(line) && rstrip(line).find('\t') == std::string_view::npos;
}

std::vector<std::size_t> Session::count_references() const {
  std::vector<std::size_t> lengths(reference_streams());
  read_reference_files([&lengths](std::size_t stream, std::string_view) { ++lengths[stream]; });
  return lengths;
}

void Session::score_stream(const std::vector<std::size_t>& lengths) {
  std::optional<LineReader> file;
  if (options_.input) file.emplace(options_.input->front(), options_.encoding);
  HeldLog held([this](LogLevel level, const std::string& message) { log(level, message); });
  std::exception_ptr failure;
  try {
    make_metrics([&held](LogLevel level, const std::string& message) { held.tell(level, message); });
  } catch (...) {
    failure = std::current_exception();
  }
  const std::size_t references = *std::min_element(lengths.begin(), lengths.end());
  std::vector<CorpusSums> sums;
  for (const auto& metric : metrics_) sums.emplace_back(*metric, references, threads());
  check_lengths(add_blocks(file ? *file : input_, references, sums), lengths);
  held.release();
  if (failure) std::rethrow_exception(failure);
  std::vector<std::string> results;
  for (const auto& sum : sums) results.push_back(sum.score(static_cast<int>(lengths.size())).format(score_format()));
  print_results(results);
}

/// Adds the lines that have references, and returns how many lines there are.
std::size_t Session::add_blocks(LineReader& hypotheses, std::size_t references, std::vector<CorpusSums>& sums) const {
  ReferenceReader reader(reference_files_.front(), options_.encoding, options_.reference_count);
  std::vector<std::string> block;
  std::vector<std::vector<std::string>> streams;
  std::size_t lines = 0;
  bool tabs = false;
  for (read_block(hypotheses, block_lines_, block); !block.empty(); read_block(hypotheses, block_lines_, block)) {
    lines += block.size();
    tabs = tabs || std::any_of(block.begin(), block.end(), has_tab);
    if (lines > references) continue;  // different lengths: read on for what is worse
    reader.next(block.size(), streams);
    const References view(streams);
    for (auto& sum : sums) sum.add(block, view);
  }
  if (tabs && !options_.input) refuse_fields();
  return lines;
}

}  // namespace sacrebleu
