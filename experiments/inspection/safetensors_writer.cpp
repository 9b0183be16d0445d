// A safetensors file whose header is known before its data, so that no tensor has to wait for another.

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "experiments/inspection/atomic_stream.h"
#include "experiments/inspection/writer.h"
#include "support/error.h"

namespace attnlab::inspection {

namespace {

using Json = nlohmann::ordered_json;

class SafetensorsWriter : public AttentionWriter {
 public:
  SafetensorsWriter(const std::filesystem::path& path, const ExportPlan& plan)
      : tensors_(planned_tensors(plan)), stream_(path) {
    Json header;
    Json& metadata = header["__metadata__"];
    metadata["format"] = "attnlab.attention.1";
    for (const auto& [key, value] : plan.about) metadata[key] = value;
    metadata["attention"] = describe_export(plan);
    int64_t offset = 0;
    for (const PlannedTensor& tensor : tensors_) {
      header[tensor.name] = {
          {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + tensor.bytes()}}};
      offset += tensor.bytes();
    }
    std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.append((8 - text.size() % 8) % 8, ' ');
    if (text.size() > 100'000'000) {
      throw Error(fmt::format(
          "{}: the header would take {} bytes, the format's limit is 100,000,000; take fewer sentences (--limit)",
          path.string(), text.size()));
    }
    const uint64_t length = text.size();
    stream_.write({reinterpret_cast<const char*>(&length), sizeof length});
    stream_.write(text);
  }

  void write(const Sentence& sentence, const KindMaps& part) override {
    for (size_t i = 0; i < part.layers.size(); ++i) {
      const torch::Tensor weights = part.weights[static_cast<int64_t>(i)].contiguous();
      const std::string name = tensor_name(sentence.id, part.kind, part.layers[i]);
      if (next_ >= tensors_.size() || tensors_[next_].name != name ||
          weights.sizes() != torch::IntArrayRef(tensors_[next_].shape)) {
        throw Error(fmt::format("{} does not come where the plan of the export has it", name));
      }
      stream_.write({static_cast<const char*>(weights.const_data_ptr()), weights.nbytes()});
      ++next_;
    }
  }

  void finish() override {
    if (next_ != tensors_.size())
      throw Error(fmt::format("only {} of {} tensors were written", next_, tensors_.size()));
    stream_.commit();
  }

 private:
  std::vector<PlannedTensor> tensors_;
  AtomicStream stream_;
  size_t next_ = 0;
};

}  // namespace

std::unique_ptr<AttentionWriter> make_safetensors_writer(const std::filesystem::path& path, const ExportPlan& plan) {
  return std::make_unique<SafetensorsWriter>(path, plan);
}

}  // namespace attnlab::inspection
