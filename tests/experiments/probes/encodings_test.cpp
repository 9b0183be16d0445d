#include "experiments/probes/encodings.h"

#include <set>

#include "modules/positions/sinusoidal.h"
#include "tests/experiments/training/tiny_run.h"
#include "tests/support/catch.h"

namespace attnlab::probes {
namespace {

torch::Tensor random_table(int64_t rows, int64_t width) {
  auto generator = at::detail::createCPUGenerator(11);
  return torch::randn({rows, width}, generator, torch::dtype(torch::kFloat64));
}

modules::Transformer model_with(const std::string& positions) {
  spec::RunConfig config = tests::tiny_config();
  config.model.encoder_positions.type = config.model.decoder_positions.type = positions;
  config.model.encoder_positions.max_length = config.model.decoder_positions.max_length = 40;
  return tests::model_of(config, tests::dataset_of(config));
}

TEST_CASE("an offset of sinusoids is a linear map, an offset of random rows is not") {
  for (const int64_t width : {16, 64, 256}) {
    for (const auto layout : {modules::SinusoidLayout::interleaved, modules::SinusoidLayout::tensor2tensor}) {
      const torch::Tensor table = modules::sinusoidal_table({0, 4 * width}, width, layout);
      for (const int64_t offset : {1, 2, 8, 32}) CHECK(offset_error(table, offset).value_or(9) <= 2e-6);
    }
    for (const int64_t offset : {1, 8}) CHECK(offset_error(random_table(4 * width, width), offset).value_or(0) > 1);
  }
  CHECK_FALSE(offset_error(random_table(5, 4), 4).has_value());
}

TEST_CASE("the map is fitted on even positions alone") {
  // Odd rows follow another rule than even ones: fitted on the even ones, the map must miss them.
  torch::Tensor table = torch::zeros({40, 2}, torch::kFloat64);
  for (int64_t p = 0; p < 40; ++p) table[p][p % 2] = 1;
  CHECK(offset_error(table, 2).value_or(0) == Approx(1.0));  // odd rows were never seen: the map gives 0
}

TEST_CASE("the effective rank counts directions by their strength") {
  CHECK(effective_rank(torch::eye(5, torch::kFloat64)) == Approx(5));
  CHECK(effective_rank(torch::ones({6, 4}, torch::kFloat64)) == Approx(1));
  const torch::Tensor halves = torch::diag(torch::tensor({3.0, 1.0}, torch::kFloat64));
  CHECK(effective_rank(halves) == Approx(std::exp(-0.75 * std::log(0.75) - 0.25 * std::log(0.25))));
  CHECK(effective_rank(torch::zeros({3, 3}, torch::kFloat64)) == 0);
}

TEST_CASE("cosines are 1 on the diagonal and those of sinusoids depend on the distance alone") {
  const torch::Tensor cosines = cosine_matrix(modules::sinusoidal_table({0, 20}, 16));
  CHECK((cosines.diagonal() - 1).abs().max().item<double>() < 1e-12);
  CHECK(cosines[0][3].item<double>() == Approx(cosines[12][15].item<double>()));
  CHECK(cosine_matrix(torch::zeros({2, 2}, torch::kFloat64)).abs().max().item<double>() == 0);
}

TEST_CASE("the table of a stack is what it adds to embeddings") {
  auto sinusoidal = model_with("sinusoidal");
  const auto table = encoding_table(sinusoidal, modules::Stack::encoder, 30);
  REQUIRE(table.has_value());
  CHECK(torch::allclose(*table, modules::sinusoidal_table({0, 30}, 16), 0, 1e-12));
  auto learned = model_with("learned");
  const auto rows = encoding_table(learned, modules::Stack::decoder, 40);
  REQUIRE(rows.has_value());
  CHECK(torch::equal(rows->to(torch::kFloat32), learned->named_parameters()["decoder_positions.method.table"]));
  for (const char* relative : {"none", "rotary", "alibi", "shaw", "t5"}) {
    auto model = model_with(relative);
    CHECK_FALSE(encoding_table(model, modules::Stack::encoder, 10).has_value());
  }
}

TEST_CASE("shuffling keeps the pieces and the end mark") {
  const std::vector<data::EncodedPair> pairs = {{{5, 6, 7, 8, 9, 10, 3}, {5, 3}}, {{3}, {3}}};
  const auto shuffled = shuffled_sources(pairs, data::Random(1));
  CHECK(shuffled[0].source != pairs[0].source);
  CHECK(shuffled[0].source.back() == 3);
  CHECK(std::multiset<int32_t>(shuffled[0].source.begin(), shuffled[0].source.end()) ==
        std::multiset<int32_t>(pairs[0].source.begin(), pairs[0].source.end()));
  CHECK(shuffled[0].target == pairs[0].target);
  CHECK(shuffled[1].source == pairs[1].source);
}

TEST_CASE("a model without positions does not notice a shuffled source") {
  const spec::RunConfig config = tests::tiny_config();
  const data::Dataset dataset = tests::dataset_of(config);
  const auto rise = [&](const std::string& positions) {
    auto model = model_with(positions);
    const Findings findings = make_encodings({config, dataset, ""})->finish(model, /*trained=*/true);
    return findings.metrics.at("encodings.shuffle_loss_rise");
  };
  CHECK(std::abs(rise("none")) < 1e-6);
  CHECK(std::abs(rise("sinusoidal")) > 1e-4);
}

TEST_CASE("the probe tells the numbers of an absolute method and leaves them out for a relative one") {
  const spec::RunConfig config = tests::tiny_config();
  const data::Dataset dataset = tests::dataset_of(config);
  auto sinusoidal = model_with("sinusoidal");
  const Findings absolute = make_encodings({config, dataset, ""})->finish(sinusoidal, true);
  CHECK(absolute.metrics.at("encodings.offset_error") <= 2e-6);
  CHECK(absolute.metrics.at("encodings.norm_ratio") > 0);
  CHECK(absolute.document["encoder"]["trained_rows"] == 7);
  CHECK(absolute.picture.find("<svg") == 0);
  auto rotary = model_with("rotary");
  const Findings relative = make_encodings({config, dataset, ""})->finish(rotary, true);
  CHECK(relative.document["encoder"].is_null());
  CHECK(relative.metrics.size() == 1);
  CHECK(relative.picture.empty());
}

}  // namespace
}  // namespace attnlab::probes
