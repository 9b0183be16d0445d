#pragma once
/// The interface of everything that writes attention: sentences one after the other, none kept.

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/inspection/maps.h"
#include "experiments/inspection/selection.h"
#include "modules/options.h"

namespace attnlab::inspection {

/// Everything that is known before the first pass. Shapes follow from it, so files need no second pass and their size
/// can be told.
struct ExportPlan {
  std::vector<Sentence> sentences;
  Selection selection;  ///< every kind, layer and head named
  modules::TransformerOptions model;
  std::map<std::string, std::string> about;  ///< run, weights and model, for the metadata
};

/// One matrix stack that an export holds.
struct PlannedTensor {
  std::string name;            ///< `sentence.<i>.<kind>.layer.<l>`
  std::vector<int64_t> shape;  ///< [heads, query, key]
  int64_t bytes() const;       ///< as float32
};

/// The tensors of an export in the order in which they are written.
std::vector<PlannedTensor> planned_tensors(const ExportPlan& plan);

/// Name of one tensor, the same in safetensors and npz.
std::string tensor_name(int64_t sentence, AttentionKind kind, int64_t layer);

/// Tokens, ids, special flags and texts of all sentences, and the meaning of the numbers, as one JSON document.
std::string describe_export(const ExportPlan& plan);

/// Writes one file. Sentences come in the plan's order; a file that is not finished never appears under its name.
class AttentionWriter : public MapsSink {
 public:
  void end_sentence(const Sentence&) override {}
  virtual void finish() = 0;
};

/// Format `safetensors`: `__metadata__` has `about` and `sentences` (the JSON of `describe_export`).
std::unique_ptr<AttentionWriter> make_safetensors_writer(const std::filesystem::path& path, const ExportPlan& plan);

/// Format `npz`: an uncompressed archive of .npy arrays; `metadata` is the JSON of `describe_export` as uint8. At most
/// 4 GiB (throws attnlab::Error beyond: the old ZIP format, which every reader knows, ends there).
std::unique_ptr<AttentionWriter> make_npz_writer(const std::filesystem::path& path, const ExportPlan& plan);

/// Format `bertviz`: one JSON object a line and sentence, whose keys `encoder_attention`, `decoder_attention`,
/// `cross_attention`
/// ([layer][1][head][query][key]), `encoder_tokens`, `decoder_tokens` are the arguments of BertViz's head_view and
/// model_view.
std::unique_ptr<AttentionWriter> make_bertviz_writer(const std::filesystem::path& path, const ExportPlan& plan);

/// Format `csv`: one line for each sentence and head with the numbers of `analyses/summary.h`.
std::unique_ptr<AttentionWriter> make_csv_writer(const std::filesystem::path& path, const ExportPlan& plan);

/// Bytes of weights that a format takes: 4 (safetensors, npz), about 9 (bertviz: decimal) or 8/3 (html: 16 bits in
/// base64) a weight.
int64_t estimated_bytes(const ExportPlan& plan, const std::string& format);

/// Throws attnlab::Error if `format` would take more than `limit` bytes, naming both sizes and what to change.
void require_fitting(const ExportPlan& plan, const std::string& format, int64_t limit);

}  // namespace attnlab::inspection
