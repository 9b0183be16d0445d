#include "experiments/inspection/analyses/importance.h"

#include <algorithm>
#include <cmath>

#include "experiments/decoding/decode.h"
#include "experiments/decoding/likelihood.h"
#include "experiments/inspection/sentence.h"
#include "tests/experiments/inspection/toy.h"
#include "tests/support/catch.h"

namespace attnlab::inspection {
namespace {

std::vector<data::EncodedPair> pairs() {
  return {encoded(toy::sentence(0, 4, 5)), encoded(toy::sentence(1, 7, 3)), encoded(toy::sentence(2, 2, 6))};
}

TEST_CASE("The loss with all heads is the likelihood's") {
  auto model = toy::model(toy::options());
  double total = 0, tokens = 0;
  for (const auto& one : decoding::likelihood(model, pairs(), /*bos=*/2, 1000)) {
    total -= one.total;
    tokens += static_cast<double>(one.tokens.size());
  }
  CHECK(gated_loss(model, pairs(), 2, 1000, {}) == Approx(total / tokens).epsilon(1e-5));
  CHECK(gated_loss(model, pairs(), 2, 1000, gates_without({}, model->options(), torch::kCPU)) ==
        Approx(total / tokens).epsilon(1e-5));
  CHECK(gated_loss(model, pairs(), 2, 8, {}) == Approx(total / tokens).epsilon(1e-5));
}

TEST_CASE("Importance is the mean size of the gate's derivative, by central differences") {
  auto model = toy::model(toy::options());
  model->to(torch::kDouble);
  const auto importance = gradient_importance(model, pairs(), 2);
  CHECK(importance.size() == 24);
  const auto difference = [&](const HeadAddress& head, const data::EncodedPair& pair) {
    const double step = 1e-5;
    const auto loss = [&](double gate) {
      auto gates = gates_without({}, model->options(), torch::kCPU, torch::kDouble);
      auto& table = head.kind == AttentionKind::encoder   ? gates.encoder
                    : head.kind == AttentionKind::decoder ? gates.decoder
                                                          : gates.cross;
      table[head.layer][head.head] = gate;
      return gated_loss(model, std::vector{pair}, 2, 1000, gates);
    };
    return std::abs(loss(1 + step) - loss(1 - step)) / (2 * step);
  };
  for (const HeadAddress& head : {HeadAddress{AttentionKind::encoder, 0, 1}, HeadAddress{AttentionKind::decoder, 1, 3},
                                  HeadAddress{AttentionKind::cross, 1, 0}}) {
    double mean = 0;
    for (const auto& pair : pairs()) mean += difference(head, pair) / 3;
    CHECK(importance.at(head) == Approx(mean).epsilon(1e-5));
  }
}

TEST_CASE("Within a layer the normalised importances have length 1") {
  std::map<HeadAddress, double> importance = {
      {{AttentionKind::encoder, 0, 0}, 3}, {{AttentionKind::encoder, 0, 1}, 4}, {{AttentionKind::cross, 0, 0}, 0}};
  const auto scaled = normalised_by_layer(importance);
  CHECK(scaled.at({AttentionKind::encoder, 0, 0}) == Approx(0.6));
  CHECK(scaled.at({AttentionKind::encoder, 0, 1}) == Approx(0.8));
  CHECK(scaled.at({AttentionKind::cross, 0, 0}) == 0);
}

TEST_CASE("Removing a head is the loss without it minus the loss with it") {
  auto model = toy::model(toy::options());
  const auto loss = [&](const std::vector<HeadAddress>& removed) {
    return gated_loss(model, pairs(), 2, 1000, gates_without(removed, model->options(), torch::kCPU));
  };
  const HeadAddress head{AttentionKind::cross, 0, 2};
  const auto change = removal_change({head}, loss);
  CHECK(change.at(head) == Approx(loss({head}) - loss({})).margin(1e-9));

  // A gate of 0 is the same as a head whose columns of W_O are 0.
  const torch::NoGradGuard no_grad;
  model->named_parameters()["decoder.layers.0.cross_attention.w_o"].narrow(1, 2 * 4, 4).zero_();
  CHECK(loss({head}) == Approx(loss({})).epsilon(1e-6));
  CHECK(removal_change({head}, loss).at(head) == Approx(0).margin(1e-6));
}

TEST_CASE("Greedy pruning takes the cheapest head each time") {
  const std::vector<HeadAddress> heads = {
      {AttentionKind::encoder, 0, 0}, {AttentionKind::encoder, 0, 1}, {AttentionKind::encoder, 0, 2}};
  // Head costs 3, 1, 2; removing 0 and 2 together costs 10 more.
  const auto loss = [&](const std::vector<HeadAddress>& removed) {
    double value = 0;
    bool first = false, third = false;
    for (const HeadAddress& head : removed) {
      value += std::vector<double>{3, 1, 2}[static_cast<size_t>(head.head)];
      first = first || head.head == 0;
      third = third || head.head == 2;
    }
    return value + (first && third ? 10 : 0);
  };
  const auto bleu = [](const std::vector<HeadAddress>& removed) {
    return 100 - 10 * static_cast<double>(removed.size());
  };
  double last = 0;
  const auto curve = greedy_pruning(heads, loss, bleu, 2, [&](double done) { last = done; });
  REQUIRE(curve.size() == 4);
  CHECK_FALSE(curve[0].removed.has_value());
  CHECK(curve[1].removed->head == 1);
  CHECK(curve[2].removed->head == 2);
  CHECK(curve[3].removed->head == 0);
  CHECK(curve[3].loss == Approx(16));
  CHECK(curve[3].kept == 0);
  CHECK(curve[0].bleu == 100);
  CHECK_FALSE(curve[1].bleu.has_value());
  CHECK(curve[2].bleu == 80);
  CHECK(curve[3].bleu == 70);
  CHECK(last == Approx(1));
}

TEST_CASE("Decoding hears the gates") {
  auto model = toy::model(toy::options());
  decoding::DecodeOptions options;
  options.search.beam = 1;
  options.search.max_length_extra = 5;
  const std::vector<decoding::Ids> sources = {pairs()[0].source, pairs()[1].source};
  const auto all = gates_without({}, model->options(), torch::kCPU);
  const auto none = gates_without(all_heads(model->options()), model->options(), torch::kCPU);
  const auto plain = decoding::decode(model, sources, options);
  options.gates = &all;
  CHECK(decoding::decode(model, sources, options)[0][0].log_probability == Approx(plain[0][0].log_probability));
  options.gates = &none;
  // Without any attention the decoder does not know its source: both sentences get the same words.
  const auto blind = decoding::decode(model, sources, options);
  CHECK(blind[0][0].ids[0] == blind[1][0].ids[0]);
  CHECK(blind[0][0].log_probability != Approx(plain[0][0].log_probability));
}

}  // namespace
}  // namespace attnlab::inspection
