#include "experiments/decoding/transformer_steps.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attnlab::decoding {

Padded pad_ids(const std::vector<const Ids*>& rows, torch::Device device) {
  size_t width = 0;
  for (const Ids* row : rows) width = std::max(width, row->size());
  const auto count = static_cast<int64_t>(rows.size());
  torch::Tensor ids = torch::zeros({count, static_cast<int64_t>(width)}, torch::kInt64);
  torch::Tensor lengths = torch::empty({count}, torch::kInt64);
  auto* id = ids.mutable_data_ptr<int64_t>();
  auto* length = lengths.mutable_data_ptr<int64_t>();
  for (const Ids* row : rows) {
    std::copy(row->begin(), row->end(), id);
    id += width;
    *length++ = static_cast<int64_t>(row->size());
  }
  return {ids.to(device), lengths.to(device)};
}

torch::Device device_of(const modules::Transformer& model) {
  return model->parameters().front().device();
}

TransformerSteps::TransformerSteps(modules::Transformer model, const std::vector<const Ids*>& sources,
                                   const modules::HeadGates* gates)
    : model_(std::move(model)),
      device_(device_of(model_)),
      sentence_of_slot_(sources.size()),
      slot_of_row_(sources.size()) {
  context_.gates = gates;
  const Padded source = pad_ids(sources, device_);
  memory_ = model_->encode(source.ids, source.lengths, context_);
  std::iota(sentence_of_slot_.begin(), sentence_of_slot_.end(), 0);
  std::iota(slot_of_row_.begin(), slot_of_row_.end(), 0);
}

torch::Tensor TransformerSteps::next(const std::vector<int64_t>& tokens) {
  std::vector<int64_t> inputs(sentence_of_slot_.size(), 0);  // an empty slot's token does not matter
  for (size_t row = 0; row < tokens.size(); ++row) inputs[static_cast<size_t>(slot_of_row_[row])] = tokens[row];
  torch::Tensor states = model_->decode_next(on_device(inputs), memory_, cache_, context_);  // [slots, D]
  if (slot_of_row_.size() < sentence_of_slot_.size()) states = states.index_select(0, on_device(slot_of_row_));
  if (!output_.defined()) output_ = modules::Prepacked(model_->output_matrix(), states.size(0));
  return output_.times(states);  // [R, V]
}

void TransformerSteps::select(const std::vector<int64_t>& rows) {
  std::vector<int64_t> parents;
  parents.reserve(rows.size());
  for (const int64_t row : rows) parents.push_back(slot_of_row_[static_cast<size_t>(row)]);
  std::vector<int64_t> slots = places(parents);
  if (slots.empty()) {
    pack(parents);
  } else {
    move_within_sentences(parents, std::move(slots));
  }
}

std::vector<int64_t> TransformerSteps::places(const std::vector<int64_t>& parents) const {
  const size_t slots = sentence_of_slot_.size();
  std::vector<int64_t> places;
  if (4 * parents.size() < 3 * slots) return places;
  size_t slot = 0;
  for (const int64_t parent : parents) {
    const int64_t sentence = sentence_of_slot_[static_cast<size_t>(parent)];
    while (slot < slots && sentence_of_slot_[slot] < sentence) ++slot;
    if (slot == slots || sentence_of_slot_[slot] != sentence) return {};
    places.push_back(static_cast<int64_t>(slot++));
  }
  return places;
}

void TransformerSteps::move_within_sentences(const std::vector<int64_t>& parents, std::vector<int64_t> slots) {
  std::vector<int64_t> source_of_slot(sentence_of_slot_.size());
  std::iota(source_of_slot.begin(), source_of_slot.end(), 0);
  for (size_t row = 0; row < slots.size(); ++row) source_of_slot[static_cast<size_t>(slots[row])] = parents[row];
  if (slots != parents) cache_.reorder(on_device(source_of_slot));
  slot_of_row_ = std::move(slots);
}

void TransformerSteps::pack(const std::vector<int64_t>& parents) {
  const torch::Tensor index = on_device(parents);
  memory_ = memory_.select(index);
  cache_.select(index);
  std::vector<int64_t> sentences;
  for (const int64_t parent : parents) sentences.push_back(sentence_of_slot_[static_cast<size_t>(parent)]);
  sentence_of_slot_ = std::move(sentences);
  slot_of_row_.resize(parents.size());
  std::iota(slot_of_row_.begin(), slot_of_row_.end(), 0);
}

torch::Tensor TransformerSteps::on_device(const std::vector<int64_t>& values) const {
  return torch::tensor(values, torch::kInt64).to(device_);
}

}  // namespace attnlab::decoding
