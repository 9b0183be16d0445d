#include "modules/transformer.h"

#include <cmath>
#include <utility>

#include "modules/linear.h"
#include "modules/options_check.h"

namespace attnlab::modules {

TransformerImpl::TransformerImpl(TransformerOptions options) : options_(std::move(options)) {
  require_possible(options_);
  const int64_t d_model = options_.d_model;
  source_embedding = register_parameter("source_embedding", torch::zeros({options_.source_vocab, d_model}));
  if (options_.tying != "three_way") {
    target_embedding = register_parameter("target_embedding", torch::zeros({options_.target_vocab, d_model}));
  }
  if (options_.tying == "none") {
    output = register_parameter("output", torch::zeros({options_.target_vocab, d_model}));
  }
  encoder_positions =
      register_module("encoder_positions", PositionalEncoding(options_.encoder_positions, options_, Stack::encoder));
  decoder_positions =
      register_module("decoder_positions", PositionalEncoding(options_.decoder_positions, options_, Stack::decoder));
  encoder = register_module("encoder", Encoder(options_));
  decoder = register_module("decoder", Decoder(options_));
}

void TransformerImpl::reset_parameters(uint64_t seed) {
  const Initializer initializer(seed);
  const double deviation = 1.0 / std::sqrt(static_cast<double>(options_.d_model));
  for (const auto& table : named_parameters(/*recurse=*/false)) {
    initializer.normal(table.value(), table.key(), deviation);
  }
  encoder_positions->reset_parameters(initializer.at("encoder_positions"));
  decoder_positions->reset_parameters(initializer.at("decoder_positions"));
  encoder->reset_parameters(initializer.at("encoder"));
  decoder->reset_parameters(initializer.at("decoder"));
}

torch::Tensor TransformerImpl::embed(const torch::Tensor& table, PositionalEncoding& positions,
                                     const torch::Tensor& ids, const Sequence& sequence, Context& context) {
  auto x = torch::embedding(table, ids);  // [B, T, D]
  if (options_.scale_embeddings) {
    x = x * std::sqrt(static_cast<double>(options_.d_model));
  }
  x = positions->forward(x, sequence.range, sequence.valid);
  if (sequence.rows != nullptr) {
    x = sequence.rows->gather(x);  // [N, D]
  }
  if (sequence.rows != nullptr && context.dropout != nullptr) {
    context.dropout->begin_at_row(sequence.rows->first_row());
  }
  return dropout(x, options_.dropout.embedding, context.dropout);
}

torch::Tensor TransformerImpl::run_encoder(const torch::Tensor& source, const torch::Tensor& lengths,
                                           const TokenRows* rows, Context& context) {
  const auto valid = valid_positions(lengths, source.size(1), source.device());
  const Sequence sequence{Visible::tokens(valid), {0, source.size(1)}, encoder_positions.get(), valid, rows};
  return encoder->forward(embed(source_embedding, encoder_positions, source, sequence, context), sequence, context);
}

torch::Tensor TransformerImpl::run_decoder(const torch::Tensor& target, const torch::Tensor& lengths,
                                           const Memory& memory, const TokenRows* rows, const TokenRows* memory_rows,
                                           Context& context) {
  const auto valid = valid_positions(lengths, target.size(1), target.device());
  const int64_t memory_width = memory_rows != nullptr ? memory_rows->width() : memory.states.size(1);
  const auto memory_visible = Visible::tokens(valid_positions(memory.lengths, memory_width, target.device()));
  const Sequence sequence{Visible::past(), {0, target.size(1)}, decoder_positions.get(), valid, rows, memory_rows};
  const auto x = embed(target_table(), decoder_positions, target, sequence, context);
  return decoder->forward(x, sequence, memory.states, memory_visible, /*cache=*/nullptr, context);
}

Memory TransformerImpl::encode(const torch::Tensor& source, const torch::Tensor& source_lengths, Context& context) {
  return {run_encoder(source, source_lengths, /*rows=*/nullptr, context), source_lengths};
}

torch::Tensor TransformerImpl::decode(const torch::Tensor& target, const torch::Tensor& target_lengths,
                                      const Memory& memory, Context& context) {
  return run_decoder(target, target_lengths, memory, /*rows=*/nullptr, /*memory_rows=*/nullptr, context);
}

torch::Tensor TransformerImpl::target_states(const torch::Tensor& source, const torch::Tensor& source_lengths,
                                             const torch::Tensor& target, const torch::Tensor& target_lengths,
                                             Context& context, FirstTokens first) {
  const TokenRows source_rows(source_lengths, source.size(1), source.device(), first.source);
  const TokenRows target_rows(target_lengths, target.size(1), target.device(), first.target);
  const Memory memory{run_encoder(source, source_lengths, &source_rows, context), source_lengths};
  return run_decoder(target, target_lengths, memory, &target_rows, &source_rows, context);
}

ArrangedDecoder TransformerImpl::arranged_decoder() const {
  return {decoder->arranged(), ArrangedLinear(output_matrix())};
}

torch::Tensor TransformerImpl::decode_next(const torch::Tensor& tokens, const Memory& memory, DecoderCache& cache,
                                           Context& context) {
  const auto memory_visible = cache.memory_visible(memory.lengths, memory.states.size(1), tokens.device());
  const Sequence sequence{Visible::past(), {cache.length(), 1}, decoder_positions.get(), {}};
  const auto x = embed(target_table(), decoder_positions, tokens.unsqueeze(1), sequence, context);
  return decoder->forward(x, sequence, memory.states, memory_visible, &cache, context).squeeze(1);  // [B, D]
}

torch::Tensor TransformerImpl::logits(const torch::Tensor& states) {
  return modules::linear(states, output_matrix());
}

torch::Tensor TransformerImpl::forward(const torch::Tensor& source, const torch::Tensor& source_lengths,
                                       const torch::Tensor& target, const torch::Tensor& target_lengths,
                                       Context& context) {
  const auto memory = encode(source, source_lengths, context);
  return logits(decode(target, target_lengths, memory, context));
}

}  // namespace attnlab::modules
