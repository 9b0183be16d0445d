// The files of `attnlab attend`.

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/attend.h"
#include "app/say.h"
#include "experiments/inspection/capture.h"
#include "experiments/inspection/page_writer.h"
#include "experiments/inspection/text_view.h"

namespace attnlab::app::attention {

namespace {

namespace fs = std::filesystem;
using inspection::AttentionKind;

std::unique_ptr<inspection::AttentionWriter> make_writer(const std::string& format, const fs::path& path,
                                                         const inspection::ExportPlan& plan) {
  if (format == "safetensors") return inspection::make_safetensors_writer(path, plan);
  if (format == "npz") return inspection::make_npz_writer(path, plan);
  if (format == "bertviz") return inspection::make_bertviz_writer(path, plan);
  return inspection::make_csv_writer(path, plan);
}

void print_text(const inspection::Sentence& sentence, const inspection::KindMaps& part) {
  // Rows of cross-attention are named by what they predict.
  const auto& rows = part.kind == AttentionKind::cross ? sentence.predicted : query_tokens(sentence, part.kind);
  for (size_t l = 0; l < part.layers.size(); ++l) {
    for (size_t h = 0; h < part.heads.size(); ++h) {
      const std::string title = fmt::format("sentence {}, {} layer {} head {}", sentence.id,
                                            inspection::to_string(part.kind), part.layers[l], part.heads[h]);
      fmt::print("{}\n", inspection::draw_text(part.weights[static_cast<int64_t>(l)][static_cast<int64_t>(h)], rows,
                                               key_tokens(sentence, part.kind), title));
    }
  }
}

/// Hands what comes to several writers and shows how far they are.
class Outputs : public inspection::MapsSink {
 public:
  Outputs(std::vector<inspection::MapsSink*> sinks, Progress& progress, std::string what, size_t sentences)
      : sinks_(std::move(sinks)), progress_(progress), what_(std::move(what)), sentences_(sentences) {}

  void write(const inspection::Sentence& sentence, const inspection::KindMaps& part) override {
    for (inspection::MapsSink* sink : sinks_) sink->write(sentence, part);
  }
  void end_sentence(const inspection::Sentence& sentence) override {
    for (inspection::MapsSink* sink : sinks_) sink->end_sentence(sentence);
    progress_.show(what_, static_cast<double>(++done_) / static_cast<double>(sentences_));
  }

 private:
  std::vector<inspection::MapsSink*> sinks_;
  Progress& progress_;
  std::string what_;
  size_t sentences_, done_ = 0;
};

/// Text on stdout.
class TextOutput : public inspection::MapsSink {
 public:
  void write(const inspection::Sentence& sentence, const inspection::KindMaps& part) override {
    print_text(sentence, part);
  }
  void end_sentence(const inspection::Sentence&) override {}
};

int64_t size_limit(const Arguments& a, const std::string& format) {
  const int64_t standard = format == "html" ? 64 : 2048;
  return (a.max_size > 0 ? a.max_size : standard) << 20;
}

}  // namespace

const char* file_name(const std::string& format) {
  if (format == "safetensors") return "attention.safetensors";
  if (format == "npz") return "attention.npz";
  if (format == "bertviz") return "attention.bertviz.jsonl";
  if (format == "csv") return "summary.csv";
  return "attention.html";
}

std::vector<std::string> file_names(const Arguments& a) {
  std::vector<std::string> names;
  for (const std::string& format : a.formats)
    if (format != "text") names.push_back(file_name(format));
  if (!a.analyse) return names;
  for (const char* name :
       {"heads.csv", "heads.json", "importance.svg", "loss_change.svg", "rollout-encoder.svg", "rollout-decoder.svg"})
    names.push_back(name);
  if (a.removal_bleu) names.push_back("bleu_change.svg");
  if (a.pruning) names.push_back("pruning.svg");
  return names;
}

std::string readable_size(uintmax_t bytes) {
  const auto size = static_cast<double>(bytes);
  return bytes < (1 << 20) ? fmt::format("{:.1f} KiB", size / 1024) : fmt::format("{:.2f} MiB", size / (1 << 20));
}

void require_fitting(const Arguments& a, const std::vector<Opened>& runs) {
  for (const std::string& format : a.formats) {
    if (format == "text") continue;
    inspection::ExportPlan all = runs.front().plan;
    for (size_t i = 1; i < runs.size() && format == "html"; ++i) {
      all.sentences.insert(all.sentences.end(), runs[i].plan.sentences.begin(), runs[i].plan.sentences.end());
    }
    if (!a.quiet && format != "csv")
      say("{}: about {} of weights\n", file_name(format),
          readable_size(static_cast<uintmax_t>(inspection::estimated_bytes(all, format))));
    inspection::require_fitting(all, format, size_limit(a, format));
  }
}

/// Writes every format but the page in one pass over the first run, and prints text.
void export_files(const Arguments& a, const fs::path& out, Opened& opened, Progress& progress) {
  std::vector<std::unique_ptr<inspection::AttentionWriter>> writers;
  for (const std::string& format : a.formats) {
    if (format != "text" && format != "html")
      writers.push_back(make_writer(format, out / file_name(format), opened.plan));
  }
  std::vector<inspection::MapsSink*> sinks;
  for (const auto& writer : writers) sinks.push_back(writer.get());
  TextOutput text;
  if (std::find(a.formats.begin(), a.formats.end(), "text") != a.formats.end()) sinks.push_back(&text);
  if (sinks.empty()) return;
  Outputs outputs(std::move(sinks), progress, "writing", opened.plan.sentences.size());
  inspection::capture(opened.run.model, opened.plan.sentences, opened.plan.selection, outputs);
  for (const auto& writer : writers) writer->finish();
}

void export_page(const fs::path& path, std::vector<Opened>& runs, const std::vector<inspection::HeadReport>& reports,
                 Progress& progress) {
  std::string title = runs.front().name;
  for (size_t i = 1; i < runs.size(); ++i) title += " | " + runs[i].name;
  inspection::PageWriter page(path, title);
  for (size_t i = 0; i < runs.size(); ++i) {
    page.begin_run(runs[i].name, runs[i].plan);
    Outputs outputs({&page}, progress, "page", runs[i].plan.sentences.size());
    inspection::capture(runs[i].run.model, runs[i].plan.sentences, runs[i].plan.selection, outputs);
    if (reports.empty()) {
      page.end_run();
    } else {
      page.end_run(reports[i].heads, fmt::format("Numbers over {} {} sentences with their references",
                                                 reports[i].sentences, reports[i].about.at("split")));
    }
  }
  page.finish();
}

}  // namespace attnlab::app::attention
