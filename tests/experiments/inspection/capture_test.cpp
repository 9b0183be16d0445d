#include "experiments/inspection/capture.h"

#include "support/error.h"
#include "tests/experiments/inspection/toy.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::inspection {
namespace {

std::vector<SentenceMaps> capture_all(modules::Transformer& model, const std::vector<Sentence>& sentences,
                                      const Selection& selection = {}, int64_t batch_bytes = int64_t{64} << 20) {
  std::vector<SentenceMaps> all;
  capture(
      model, sentences, selection, [&](const SentenceMaps& maps) { all.push_back(maps); }, batch_bytes);
  return all;
}

const std::vector<Sentence>& sentences() {
  static const std::vector<Sentence> all = {toy::sentence(0, 4, 6), toy::sentence(1, 9, 2), toy::sentence(2, 1, 3)};
  return all;
}

TEST_CASE("Every layer and head of every kind is there, trimmed, with rows that sum to 1") {
  auto model = toy::model(toy::options());
  const auto all = capture_all(model, sentences());
  REQUIRE(all.size() == 3);
  for (size_t i = 0; i < all.size(); ++i) {
    const auto source = static_cast<int64_t>(sentences()[i].source.size()),
               target = static_cast<int64_t>(sentences()[i].input.size());
    CHECK(all[i].sentence.id == static_cast<int64_t>(i));
    REQUIRE(all[i].kinds.size() == 3);
    CHECK(all[i].kinds[0].weights.sizes() == torch::IntArrayRef({2, 4, source, source}));
    CHECK(all[i].kinds[1].weights.sizes() == torch::IntArrayRef({2, 4, target, target}));
    CHECK(all[i].kinds[2].weights.sizes() == torch::IntArrayRef({2, 4, target, source}));
    for (const KindMaps& kind : all[i].kinds) CHECK((kind.weights.sum(-1) - 1).abs().max().item<float>() < 1e-5);
    CHECK(all[i].kinds[1].weights.triu(1).abs().max().item<float>() == 0);
  }
}

TEST_CASE("Batches and padding change nothing") {
  auto model = toy::model(toy::options());
  const auto together = capture_all(model, sentences()), alone = capture_all(model, sentences(), {}, 1);
  for (size_t i = 0; i < together.size(); ++i) {
    for (size_t k = 0; k < 3; ++k)
      CHECK(torch::allclose(together[i].kinds[k].weights, alone[i].kinds[k].weights, 1e-5, 1e-6));
  }
}

/// Notes what it gets, and holds nothing.
class Notes : public MapsSink {
 public:
  void write(const Sentence& sentence, const KindMaps& part) override {
    std::string layers;
    for (const int64_t layer : part.layers) layers += std::to_string(layer);
    all += std::to_string(sentence.id) + to_string(part.kind)[0] + layers + " ";
    largest = std::max(largest, static_cast<int64_t>(part.weights.nbytes()));
  }
  void end_sentence(const Sentence&) override { all += "; "; }
  std::string all;
  int64_t largest = 0;
};

TEST_CASE("A sentence with many weights comes a layer at a time, kind by kind") {
  auto model = toy::model(toy::options());
  Notes whole, parts, mixed;
  capture(model, sentences(), {}, whole);
  CHECK(whole.all == "0e01 0d01 0c01 ; 1e01 1d01 1c01 ; 2e01 2d01 2c01 ; ");
  capture(model, sentences(), {}, parts, /*batch_bytes=*/1);
  CHECK(parts.all.starts_with("0e0 0e1 0d0 0d1 0c0 0c1 ; 1e0 1e1 "));
  CHECK(parts.largest == 4 * 4 * 10 * 10);  // one layer of the second encoder
  capture(model, sentences(), {}, mixed, weight_bytes(sentences()[0], {}, model->options()));
  CHECK(mixed.all == "0e01 0d01 0c01 ; 1e0 1e1 1d0 1d1 1c0 1c1 ; 2e01 2d01 2c01 ; ");
}

TEST_CASE("Kernels, position methods and placements agree or work, with odd head counts too") {
  const auto reference_options = [] {
    auto options = toy::options();
    options.attention = "explicit";
    return options;
  }();
  auto reference = toy::model(reference_options);
  const auto expected = capture_all(reference, sentences());
  auto options = reference_options;
  options.attention = "fused";
  auto fused = toy::model(options);
  const auto got = capture_all(fused, sentences());
  for (size_t k = 0; k < 3; ++k)
    CHECK(torch::allclose(got[0].kinds[k].weights, expected[0].kinds[k].weights, 1e-5, 1e-6));

  for (const std::string& positions : {"none", "learned"}) {
    for (const std::string& placement : {"post", "pre"}) {
      auto varied = toy::options();
      varied.heads = 1;
      varied.encoder_positions.type = varied.decoder_positions.type = positions;
      varied.norm.placement = placement;
      auto model = toy::model(varied);
      const auto maps = capture_all(model, sentences());
      CHECK(maps[1].kinds[2].weights.size(1) == 1);
      CHECK((maps[1].kinds[2].weights.sum(-1) - 1).abs().max().item<float>() < 1e-5);
    }
  }
}

TEST_CASE("Dropout does not touch what is captured, and the model's mode comes back") {
  auto options = toy::options();
  auto model = toy::model(options);
  const auto expected = capture_all(model, sentences());
  options.dropout.attention = options.dropout.residual = 0.5;
  auto training = toy::model(options);
  training->train();
  const auto got = capture_all(training, sentences());
  CHECK(training->is_training());
  CHECK(torch::equal(got[0].kinds[0].weights, expected[0].kinds[0].weights));
}

/// Records and throws away.
class Listener : public modules::AttentionRecorder {
 public:
  void record(AttentionKind, int64_t, const torch::Tensor&) override {}
};

TEST_CASE("The model says the same with and without a recorder") {
  auto model = toy::model(toy::options());
  const torch::NoGradGuard no_grad;
  const auto source = torch::tensor({{10, 11, 12, 3}, {10, 3, 0, 0}}),
             target = torch::tensor({{2, 30, 31}, {2, 32, 0}});
  const auto source_lengths = torch::tensor({4, 2}), target_lengths = torch::tensor({3, 2});
  Listener listener;
  modules::Context plain, heard;
  heard.recorder = &listener;
  const auto expected = model->forward(source, source_lengths, target, target_lengths, plain);
  const auto got = model->forward(source, source_lengths, target, target_lengths, heard);
  CHECK(got.equal(expected));
}

TEST_CASE("A selection takes what it names") {
  auto model = toy::model(toy::options());
  const Selection selection = parse_selection("cross,encoder", "1", "3,0", model->options());
  const auto all = capture_all(model, sentences(), selection), whole = capture_all(model, sentences());
  REQUIRE(all[0].kinds.size() == 2);
  CHECK(all[0].kinds[0].kind == AttentionKind::encoder);
  CHECK(all[0].kinds[1].heads == std::vector<int64_t>{0, 3});
  CHECK(torch::equal(all[0].kinds[1].weights[0][1], whole[0].kinds[2].weights[1][3]));
  CHECK(weight_bytes(sentences()[0], selection, model->options()) == 4 * (2 * 25 + 2 * 35));
}

TEST_CASE("What a model does not have is refused with what it has") {
  const auto options = toy::options();
  CHECK(tests::mentions(tests::error_message([&] { parse_selection("encoder", "2", "all", options); }),
                        "numbers from 0 to 1"));
  CHECK(tests::mentions(tests::error_message([&] { parse_selection("encoder", "all", "0,x", options); }), "'x'"));
  CHECK_THROWS_AS(parse_selection("encoder", "all", "", options), Error);
  CHECK_THROWS_AS(parse_selection("encoder", "-1", "all", options), Error);
  CHECK(tests::mentions(tests::error_message([&] { parse_selection("self", "all", "all", options); }),
                        "'self' is no kind"));
  auto uneven = options;
  uneven.decoder_layers = 3;
  const Selection deep = parse_selection("all", "2", "all", uneven);
  CHECK(layers_of(deep, AttentionKind::encoder, uneven).empty());
  CHECK(layers_of(deep, AttentionKind::cross, uneven) == std::vector<int64_t>{2});
}

}  // namespace
}  // namespace attnlab::inspection
