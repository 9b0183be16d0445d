#include "experiments/decoding/texts.h"

#include "experiments/decoding/special_ids.h"
#include "tests/support/catch.h"
#include "tokenizer/train.h"

using namespace attnlab;
using namespace attnlab::decoding;

namespace {

/// The letters a and b, and ab as one piece.
tokenizer::Tokenizer letters() {
  tokenizer::TrainOptions options;
  options.type = tokenizer::ModelType::character;
  options.vocab_size = 20;
  options.user_symbols = {"ab"};
  return tokenizer::Tokenizer::from_bytes(tokenizer::train({"a b a b", "ba a"}, options), "letters");
}

/// The id of a piece.
int32_t id_of(const tokenizer::Tokenizer& tokenizer, const std::string& piece) {
  for (int32_t id = 0; id < tokenizer.vocab_size(); ++id)
    if (tokenizer.piece(id) == piece) return id;
  FAIL("there is no piece " << piece);
  return -1;
}

}  // namespace

TEST_CASE("Of hypotheses that read the same the first stays, samples all do") {
  const tokenizer::Tokenizer tokenizer = letters();
  const int32_t a = id_of(tokenizer, "a"), b = id_of(tokenizer, "b"), ab = id_of(tokenizer, "ab");
  const std::vector<Hypothesis> list{{{a, b}, -1, -1, true}, {{ab}, -2, -2, true}, {{b}, -3, -3, true}};
  const auto distinct = distinct_texts(tokenizer, list);
  REQUIRE(distinct.size() == 2);
  CHECK(distinct[0].text == "ab");
  CHECK(distinct[0].hypothesis.ids == Ids{a, b});
  CHECK(distinct[1].text == "b");
  CHECK(distinct[1].hypothesis.score == -3);
  CHECK(texts(tokenizer, list).size() == 3);
}

TEST_CASE("The special ids of a vocabulary: silent are its control pieces but the end mark") {
  const SpecialIds special = special_ids(letters());
  CHECK(special.unk == 1);
  CHECK(special.bos == 2);
  CHECK(special.eos == 3);
  CHECK(special.silent == Ids{0, 2});
  const SpecialIds defaults;
  CHECK(defaults.silent == special.silent);
}
