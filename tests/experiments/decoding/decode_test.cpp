#include "experiments/decoding/decode.h"

#include <algorithm>
#include <set>

#include <ATen/Parallel.h>

#include "experiments/decoding/beam_search.h"
#include "experiments/decoding/likelihood.h"
#include "experiments/decoding/transformer_steps.h"
#include "modules/norms/registry.h"
#include "modules/positions/registry.h"
#include "support/error.h"
#include "tests/experiments/decoding/small_model.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

using namespace attnlab;
using namespace attnlab::decoding;
using namespace attnlab::decoding::test;

namespace {

DecodeOptions options_with(int64_t beam, int64_t n_best, int64_t batch) {
  DecodeOptions options;
  options.search.beam = beam;
  options.search.max_length_extra = 6;
  options.search.batch_sentences = batch;
  options.n_best = n_best;
  return options;
}

std::vector<Ids> sources_of(int64_t count) {
  std::vector<Ids> sources;
  for (int64_t i = 0; i < count; ++i) sources.push_back(i % 4 == 3 ? Ids{3} : source_of(i));  // a quarter is empty
  return sources;
}

void check_equal(const std::vector<Hypothesis>& a, const std::vector<Hypothesis>& b) {
  REQUIRE(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].ids == b[i].ids);
    CHECK(a[i].finished == b[i].finished);
    CHECK(a[i].score == Approx(b[i].score).margin(1e-4));
    CHECK(a[i].log_probability == Approx(b[i].log_probability).margin(1e-4));
  }
}

/// The model without a cache: the whole prefix at every step.
class UncachedSteps : public StepModel {
 public:
  UncachedSteps(modules::Transformer model, const std::vector<const Ids*>& sources) : model_(std::move(model)) {
    const Padded source = pad_ids(sources, torch::kCPU);
    memory_ = model_->encode(source.ids, source.lengths, context_);
    prefixes_.resize(sources.size());
  }
  torch::Tensor next(const std::vector<int64_t>& tokens) override {
    std::vector<const Ids*> rows;
    for (size_t r = 0; r < tokens.size(); ++r) {
      prefixes_[r].push_back(static_cast<int32_t>(tokens[r]));
      rows.push_back(&prefixes_[r]);
    }
    const Padded prefix = pad_ids(rows, torch::kCPU);
    const torch::Tensor states = model_->decode(prefix.ids, prefix.lengths, memory_, context_);
    return model_->logits(states.select(1, states.size(1) - 1));
  }
  void select(const std::vector<int64_t>& rows) override {
    std::vector<Ids> selected;
    for (const int64_t row : rows) selected.push_back(prefixes_[static_cast<size_t>(row)]);
    prefixes_ = selected;
    const torch::Tensor index = torch::tensor(rows);
    memory_ = {memory_.states.index_select(0, index), memory_.lengths.index_select(0, index)};
  }

 private:
  modules::Transformer model_;
  modules::Context context_;
  modules::Memory memory_;
  std::vector<Ids> prefixes_;
};

/// Beam search with the cache gives what it gives over the whole prefix.
void check_cache(const modules::Transformer& model, const std::vector<Ids>& sources,
                 const std::vector<int64_t>& limits) {
  std::vector<const Ids*> rows;
  for (const Ids& source : sources) rows.push_back(&source);
  SearchOptions options;
  options.n_best = 4;
  const auto weights = model->arranged_decoder();
  TransformerSteps cached(model, weights, rows);
  UncachedSteps uncached(model, rows);
  const auto a = beam_search(cached, limits, options), b = beam_search(uncached, limits, options);
  for (size_t i = 0; i < sources.size(); ++i) check_equal(a[i], b[i]);
}

}  // namespace

TEST_CASE("Cached decoding equals decoding the whole prefix at every step, for every position method") {
  const torch::NoGradGuard no_grad;
  const std::vector<Ids> sources = sources_of(7);
  const std::vector<int64_t> limits{14, 14, 3, 9, 14, 5, 14};
  for (const auto& positions : modules::position_variants()) {
    for (const std::string placement : {"pre", "post"}) {
      INFO(positions.name << " " << placement);
      const modules::Transformer model = small_model(positions.name, placement);
      check_cache(model, sources, limits);
    }
  }
}

TEST_CASE("Cached decoding equals decoding the whole prefix at every step, in every norm and placement") {
  const torch::NoGradGuard no_grad;
  const std::vector<Ids> sources = sources_of(5);
  const std::vector<int64_t> limits{12, 3, 9, 5, 12};
  for (const auto& norm : modules::norm_variants()) {
    for (const auto& placement : modules::placement_variants()) {
      INFO(norm.name << " " << placement.name);
      modules::Transformer model = small_model("sinusoidal", placement.name, 1, norm.name);
      model->to(torch::kFloat64);  // BatchNorm's rows are long here, and so are their differences in float32
      for (auto& statistic : model->buffers()) statistic.add_(torch::linspace(0, 1, 16));
      model->eval();
      check_cache(model, sources, limits);
    }
  }
}

TEST_CASE("Decoding a model in training mode uses BatchNorm's running statistics and leaves them alone") {
  modules::Transformer model = small_model("sinusoidal", "post", 1, "batch_norm");
  const auto statistic = model->buffers().front().clone();
  const std::vector<Ids> sources = sources_of(6);
  const auto together = decode(model, sources, options_with(2, 1, 6)),
             alone = decode(model, sources, options_with(2, 1, 1));
  for (size_t i = 0; i < sources.size(); ++i) check_equal(together[i], alone[i]);
  std::vector<data::EncodedPair> pairs;
  for (const Ids& source : sources) pairs.push_back({source, source});
  const double likely = likelihood(model, pairs, 2, 1000).front().total;
  CHECK(likely == Approx(likelihood(model, data::Pairs(pairs).first(1), 2, 1000).front().total));
  CHECK(model->buffers().front().equal(statistic));
  CHECK(model->is_training());
}

TEST_CASE("A call decodes with the parameters as they are then: nothing arranged for it outlives it") {
  modules::Transformer model = small_model(), other = small_model("sinusoidal", "pre", /*seed=*/2);
  const std::vector<Ids> sources = sources_of(9);
  const auto before = decode(model, sources, options_with(2, 1, 3)),
             expected = decode(other, sources, options_with(2, 1, 3));
  {
    const torch::NoGradGuard no_grad;
    for (const auto& parameter : other->named_parameters()) {
      model->named_parameters()[parameter.key()].copy_(parameter.value());
    }
  }
  const auto after = decode(model, sources, options_with(2, 1, 3));
  int64_t changed = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    CHECK(after[i][0].ids == expected[i][0].ids);
    CHECK(after[i][0].log_probability == expected[i][0].log_probability);
    changed += after[i][0].ids != before[i][0].ids ? 1 : 0;
  }
  CHECK(changed > 0);
}

TEST_CASE("Workers share one arrangement of the weights, and give what one worker gives") {
  modules::Transformer model = small_model();
  const std::vector<Ids> sources = sources_of(40);
  const int threads = at::get_num_threads();
  std::vector<std::vector<std::vector<Hypothesis>>> all;
  for (const int count : {1, 4}) {
    at::set_num_threads(count);
    all.push_back(decode(model, sources, options_with(3, 1, 2)));
  }
  at::set_num_threads(threads);
  for (size_t i = 0; i < sources.size(); ++i) check_equal(all[0][i], all[1][i]);
}

TEST_CASE("Output does not depend on the batch size, and stays in the order of the input") {
  modules::Transformer model = small_model();
  const std::vector<Ids> sources = sources_of(60);
  for (const int64_t beam : {1, 4}) {
    const auto alone = decode(model, sources, options_with(beam, 1, 1));
    for (const int64_t batch : {3, 64}) {
      const auto together = decode(model, sources, options_with(beam, 1, batch));
      REQUIRE(together.size() == sources.size());
      for (size_t i = 0; i < sources.size(); ++i) check_equal(together[i], alone[i]);
    }
  }
}

TEST_CASE("1,300 numbered lines, a quarter of them empty, keep their order") {
  modules::Transformer model = small_model();
  std::vector<Ids> sources;  // the number of a line, in pieces
  for (int32_t i = 0; i < 1300; ++i)
    sources.push_back(i % 4 == 3 ? Ids{3} : Ids{4 + i / 512, 4 + i / 64 % 8, 4 + i / 8 % 8, 4 + i % 8, 3});
  const auto decoded = decode(model, sources, options_with(1, 1, 64));
  REQUIRE(decoded.size() == 1300);
  std::vector<Ids> backwards(sources.rbegin(), sources.rend());
  const auto reversed = decode(model, backwards, options_with(1, 1, 16));
  std::set<Ids> distinct;
  for (size_t i = 0; i < sources.size(); ++i) {
    CHECK(decoded[i][0].ids == reversed[sources.size() - 1 - i][0].ids);
    if (i % 4 == 3) CHECK(decoded[i][0].ids.empty());
    distinct.insert(decoded[i][0].ids);
  }
  CHECK(distinct.size() > 50);  // otherwise the comparison would show nothing
}

TEST_CASE("An empty sentence has one translation, the empty one, in every search and batch") {
  modules::Transformer model = small_model();
  for (const int64_t beam : {1, 5}) {
    for (const int64_t batch : {1, 3, 64}) {
      for (const bool samples : {false, true}) {
        DecodeOptions options = options_with(beam, beam, batch);
        options.search.min_length = 2;
        if (samples) options.sampling = Sampling{.temperature = 1.5, .seed = 3};
        const auto decoded = decode(model, {source_of(1), Ids{3}, source_of(2), Ids{3}}, options);
        for (const size_t empty : {1, 3}) {
          REQUIRE(decoded[empty].size() == 1);
          CHECK(decoded[empty][0].ids.empty());
          CHECK(decoded[empty][0].log_probability == 0);
          CHECK(decoded[empty][0].finished);
        }
        const auto others = decode(model, {source_of(1), Ids{4, 3}, source_of(2)}, options);
        for (const size_t full : {0, 2}) check_equal(decoded[full], others[full]);
      }
    }
  }
  CHECK(decode(model, {Ids{3}}, options_with(2, 1, 8)).at(0).at(0).ids.empty());
}

TEST_CASE("Beam 1 equals greedy, and the best of five the only one, on a real model") {
  modules::Transformer model = small_model("learned");
  const std::vector<Ids> sources = sources_of(20);
  const auto best = decode(model, sources, options_with(5, 1, 8)), list = decode(model, sources, options_with(5, 5, 8));
  for (size_t i = 0; i < sources.size(); ++i) {
    check_equal({list[i].front()}, {best[i].front()});
    CHECK(list[i].size() == (sources[i].size() > 1 ? 5 : 1));
  }
}

TEST_CASE("Lengths: at most ratio * source + extra tokens with the end mark, and never beyond a table of positions") {
  modules::Transformer model = small_model();
  DecodeOptions options = options_with(1, 1, 8);
  options.search.max_length_ratio = 2;
  options.search.max_length_extra = 1;
  options.search.min_length = 0;
  const auto decoded = decode(model, {source_of(3), Ids{3}}, options);
  const auto most = 2 * (source_of(3).size() - 1) + 1;
  CHECK(decoded[0][0].ids.size() <= most);
  CHECK(decoded[1][0].ids.empty());
  options.search.min_length = 9;
  CHECK(decode(model, {source_of(3), Ids{3}}, options)[0][0].ids.size() == most);  // the largest length beats it

  modules::TransformerOptions table = model->options();
  table.decoder_positions.type = "learned";
  table.decoder_positions.max_length = 5;
  modules::Transformer bounded(table);
  bounded->reset_parameters(1);
  options.search.min_length = 8;
  const Hypothesis cut = decode(bounded, {source_of(3)}, options)[0][0];
  CHECK(cut.ids.size() == 5);
  CHECK_FALSE(cut.finished);
}

TEST_CASE("One very long source among short ones is decoded, and the others stay as they were") {
  modules::Transformer model = small_model();
  std::vector<Ids> sources{source_of(1), Ids(2000, 9), source_of(2)};
  sources[1].push_back(3);
  DecodeOptions options = options_with(1, 1, 64);
  options.search.max_length_ratio = 0;
  const auto decoded = decode(model, sources, options);
  REQUIRE(decoded.size() == 3);
  CHECK(decoded[0][0].ids == decode(model, {source_of(1)}, options)[0][0].ids);
  CHECK(decoded[2][0].ids == decode(model, {source_of(2)}, options)[0][0].ids);
}

TEST_CASE("Sampling: the same seed gives the same text in any batch, another seed another") {
  modules::Transformer model = small_model();
  const std::vector<Ids> sources = sources_of(12);
  DecodeOptions options = options_with(1, 2, 64);  // more samples than the beam is wide: it does not matter
  options.sampling = Sampling{.seed = 5};
  const auto once = decode(model, sources, options), twice = decode(model, sources, options);
  options.search.batch_sentences = 1;
  const auto alone = decode(model, sources, options);
  options.sampling->seed = 6;
  const auto other = decode(model, sources, options);
  int64_t differing = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    check_equal(once[i], twice[i]);
    check_equal(once[i], alone[i]);
    differing += once[i][0].ids != other[i][0].ids ? 1 : 0;
  }
  CHECK(differing > 6);
}

TEST_CASE("Samples are keyed by the number of the sentence, though a text comes in parts") {
  modules::Transformer model = small_model();
  const std::vector<Ids> sources = sources_of(9);
  DecodeOptions options = options_with(1, 2, 4);
  options.sampling = Sampling{.seed = 5};
  const auto whole = decode(model, sources, options);
  options.first_sentence = 6;
  const auto rest = decode(model, {sources.begin() + 6, sources.end()}, options);
  REQUIRE(rest.size() == 3);
  for (size_t i = 0; i < rest.size(); ++i) check_equal(rest[i], whole[6 + i]);
}

TEST_CASE("Pieces without text never come out, unk only where it is allowed") {
  modules::Transformer model = small_model();  // untrained: every piece is as likely as another
  const std::vector<Ids> sources = sources_of(40);
  const auto count = [&](const DecodeOptions& options, const Ids& which) {
    int64_t found = 0;
    for (const auto& hypotheses : decode(model, sources, options)) {
      for (const Hypothesis& hypothesis : hypotheses) {
        for (const int32_t id : which) found += std::count(hypothesis.ids.begin(), hypothesis.ids.end(), id);
      }
    }
    return found;
  };
  DecodeOptions greedy = options_with(1, 1, 16), beam = options_with(4, 4, 16), samples = options_with(1, 4, 16);
  samples.sampling = Sampling{.temperature = 5};
  for (DecodeOptions options : {greedy, beam, samples}) {
    options.search.min_length = 4;
    CHECK(count(options, {0, 2, 3}) == 0);
    if (options.sampling) CHECK(count(options, {1}) > 0);
    options.search.allow_unk = false;
    CHECK(count(options, {0, 1, 2, 3}) == 0);
    options.special.silent.push_back(7);  // a control piece of a given model
    CHECK(count(options, {7}) == 0);
  }
}

TEST_CASE("Impossible options are refused with the setting to change") {
  modules::Transformer model = small_model();
  const auto message = [&](const std::function<void(DecodeOptions&)>& change) {
    DecodeOptions options = options_with(5, 1, 8);
    change(options);
    return tests::error_message([&] { decode(model, {Ids{3}}, options); });
  };
  CHECK(message([](DecodeOptions& o) { o.n_best = 6; }) ==
        "--n-best 6 is more than --beam 5 (decoding.beam) holds: raise --beam to 6 or lower --n-best to 5");
  CHECK(message([](DecodeOptions& o) { o.n_best = 0; }) == "--n-best is 0; it must be at least 1");
  CHECK(message([](DecodeOptions& o) { o.search.beam = 0; }) == "decoding.beam is 0; it must be at least 1");
  CHECK(message([](DecodeOptions& o) { o.search.batch_sentences = 0; }) ==
        "decoding.batch_sentences is 0; it must be at least 1");
  CHECK(message([](DecodeOptions& o) { o.search.max_length_ratio = o.search.max_length_extra = 0; }) ==
        "decoding.max_length_extra: 0 together with decoding.max_length_ratio 0 allows no token at all; raise one");
  CHECK(message([](DecodeOptions& o) { o.search.max_length_extra = -1; }) ==
        "decoding.max_length_extra is -1; it must not be negative");
  CHECK(message([](DecodeOptions& o) { o.sampling = Sampling{.top_p = 0}; }) == "top-p is 0; it must be in (0, 1]");
  CHECK(message([](DecodeOptions& o) { o.sampling = Sampling{.top_k = -1}; }) ==
        "top-k is -1; it must be at least 1, or 0 for all");
  CHECK(message([](DecodeOptions& o) { o.sampling = Sampling{.temperature = 0}; }) ==
        "temperature is 0; it must be a number above 0 (top-k 1 gives the likeliest token)");
  CHECK_THROWS_WITH(decode(model, {Ids{3}, Ids{}}, options_with(1, 1, 8)),
                    "source 2 has no ids; an empty sentence is its end mark alone");
  CHECK(decode(model, {}, options_with(1, 1, 8)).empty());
}

TEST_CASE("Decoding leaves the model as it was: it can be trained afterwards") {
  modules::Transformer model = small_model();
  decode(model, sources_of(5), options_with(4, 1, 2));
  modules::Context context;
  const torch::Tensor ids = torch::tensor({{4, 5, 3}}), lengths = torch::tensor({3});
  model->forward(ids, lengths, ids, lengths, context).sum().backward();
  for (const auto& parameter : model->parameters()) CHECK(parameter.grad().defined());
}
