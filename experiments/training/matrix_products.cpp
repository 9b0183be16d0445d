#include "experiments/training/matrix_products.h"

#include <algorithm>

namespace attnlab::training {
namespace {

enum Role : size_t { x, w, y, x_gradient, w_gradient, y_gradient };

void add_attention(std::vector<Product>& products, const modules::TransformerOptions& o, int64_t layers, int64_t rows,
                   int64_t queries, int64_t keys) {
  const int64_t heads = rows * o.heads;
  products.push_back({layers, heads, queries, o.key_width(), keys});
  products.push_back({layers, heads, queries, keys, o.value_width()});
  products.push_back({layers, 1, rows * queries, o.heads * o.value_width(), o.d_model});
}

void add_feed_forward(std::vector<Product>& products, const modules::TransformerOptions& o, int64_t layers,
                      int64_t tokens) {
  products.push_back({layers, 1, tokens, o.d_model, o.d_ff});
  products.push_back({layers, 1, tokens, o.d_ff, o.d_model});
}

}  // namespace

std::vector<Product> products_of(const modules::TransformerOptions& o, const data::Batch& batch) {
  const int64_t source = batch.rows * batch.source_width, target = batch.rows * batch.target_width;
  const int64_t query_width = o.heads * o.key_width(), key_value_width = o.heads * (o.key_width() + o.value_width());
  std::vector<Product> products;

  products.push_back({o.encoder_layers, 1, source, o.d_model, query_width + key_value_width});
  add_attention(products, o, o.encoder_layers, batch.rows, batch.source_width, batch.source_width);
  add_feed_forward(products, o, o.encoder_layers, source);

  products.push_back({o.decoder_layers, 1, target, o.d_model, query_width + key_value_width});
  add_attention(products, o, o.decoder_layers, batch.rows, batch.target_width, batch.target_width);
  products.push_back({o.decoder_layers, 1, target, o.d_model, query_width});
  products.push_back({o.decoder_layers, 1, source, o.d_model, key_value_width});
  add_attention(products, o, o.decoder_layers, batch.rows, batch.target_width, batch.source_width);
  add_feed_forward(products, o, o.decoder_layers, target);

  products.push_back({1, 1, batch.target_tokens, o.d_model, o.target_vocab});
  return products;
}

void ProductRunner::reserve(const std::vector<Product>& products) {
  int64_t sizes[3] = {0, 0, 0};
  for (const Product& p : products) {
    sizes[x] = std::max(sizes[x], p.batch * p.rows * p.inner);
    sizes[w] = std::max(sizes[w], p.batch * p.inner * p.columns);
    sizes[y] = std::max(sizes[y], p.batch * p.rows * p.columns);
  }
  for (size_t role = 0; role < 6; ++role) {
    const int64_t size = sizes[role % 3];
    if (!memory_[role].defined() || memory_[role].numel() < size) memory_[role] = torch::rand({size}, options_);
  }
}

torch::Tensor ProductRunner::part(size_t role, int64_t batch, int64_t rows, int64_t columns) const {
  const torch::Tensor flat = memory_[role].narrow(0, 0, batch * rows * columns);
  return batch == 1 ? flat.view({rows, columns}) : flat.view({batch, rows, columns});
}

void ProductRunner::run(const std::vector<Product>& products) {
  torch::NoGradGuard no_grad;
  for (const Product& p : products) {
    const torch::Tensor input = part(x, p.batch, p.rows, p.inner), weight = part(w, p.batch, p.columns, p.inner);
    const torch::Tensor change = part(y_gradient, p.batch, p.rows, p.columns);
    torch::Tensor output = part(y, p.batch, p.rows, p.columns);
    torch::Tensor input_gradient = part(x_gradient, p.batch, p.rows, p.inner);
    torch::Tensor weight_gradient = part(w_gradient, p.batch, p.columns, p.inner);
    for (int64_t i = 0; i < p.times; ++i) {
      at::matmul_out(output, input, weight.transpose(-2, -1));
      at::matmul_out(input_gradient, change, weight);
      at::matmul_out(weight_gradient, change.transpose(-2, -1), input);
    }
  }
}

}  // namespace attnlab::training
