#include "experiments/evaluation/evaluate.h"
#include "modules/transformer.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace attnlab;
using namespace attnlab::evaluation;

TEST_CASE("Translations are detokenised, one a line, in the order of the split") {
  const tests::TemporaryFolder cache;
  spec::DataConfig data_config;
  data_config.generator = "copy";
  data_config.train_pairs = 300;
  data_config.valid_pairs = data_config.test_pairs = 20;
  spec::TokenizerConfig tokenizer;
  tokenizer.type = "word";
  tokenizer.vocab_size = 24;
  const data::Dataset dataset = data::load_dataset(data_config, tokenizer, cache.path());

  modules::TransformerOptions options;
  options.d_model = 16;
  options.heads = 2;
  options.d_ff = 32;
  options.encoder_layers = options.decoder_layers = 1;
  options.source_vocab = dataset.source_tokenizer.vocab_size();
  options.target_vocab = dataset.target_tokenizer.vocab_size();
  modules::Transformer model(options);
  model->reset_parameters(1);
  spec::DecodingConfig search;
  search.beam = 2;
  search.max_length_extra = 5;

  const std::vector<std::string> lines = translate(model, dataset, dataset.test, search);
  REQUIRE(lines.size() == dataset.test.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    CHECK(lines[i].find('\n') == std::string::npos);
    decoding::DecodeOptions alone;
    alone.search = search;
    alone.special = decoding::special_ids(dataset.target_tokenizer);
    const auto source = dataset.test[i].source;
    const auto best = decoding::decode(model, {{source.begin(), source.end()}}, alone).front().front();
    CHECK(lines[i] == dataset.target_tokenizer.decode(best.ids));
  }
}
