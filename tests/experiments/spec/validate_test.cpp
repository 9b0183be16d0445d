#include "experiments/spec/validate.h"

#include "support/error.h"
#include "tests/experiments/spec/probes.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::spec {
namespace {

using tests::mentions;

/// The problems of a configuration with these changes, in one text.
std::string found(const std::string& changes) {
  RunConfig config;
  config.data.generator = "copy";
  apply_changes(describe(config), parse_json(changes, "changes"), Place("changes"));
  std::string text;
  for (const std::string& problem : problems(config)) text += problem + "\n";
  return text;
}

TEST_CASE("a plain configuration has no problems") {
  CHECK(found("{}").empty());
  CHECK(found(R"({"training.schedule.warmup": 5000, "training.steps": 10})")
            .empty());  // a warm-up longer than the run is fine
}

TEST_CASE("data come from a generator or from files, never from both or none") {
  CHECK(mentions(found(R"({"data.generator": ""})"), "data: needs data.generator", "or data.dir"));
  CHECK(mentions(found(R"({"data.dir": "x"})"), "data.dir", "remove one"));
  CHECK(found(R"({"data.generator": "", "data.dir": "x"})").empty());
  CHECK(mentions(found(R"({"data.generator": "", "data.dir": "x", "data.target": "en"})"), "data.target",
                 "different suffixes"));
  CHECK(
      mentions(found(R"({"data.train_pairs": 1000000000000})"), "data.train_pairs: 1000000000000", "at most 10000000"));
  CHECK(found(R"({"data.generator": "", "data.dir": "x", "data.train_pairs": 1000000000000})").empty());
  CHECK(mentions(found(R"({"data.min_length": 9, "data.max_length": 5})"),
                 "data.min_length: 9 is larger than data.max_length 5"));
}

TEST_CASE("tokenizers are trained, or given for both sides alike") {
  CHECK(mentions(found(R"({"tokenizer.source_model": "a", "tokenizer.shared": false, "model.tying": "none"})"),
                 "tokenizer.source_model", "tokenizer.target_model is missing"));
  CHECK(mentions(found(R"({"tokenizer.model": "m", "tokenizer.source_model": "a", "tokenizer.target_model": "b"})"),
                 "exclude each other"));
  CHECK(mentions(found(R"({"tokenizer.source_model": "a", "tokenizer.target_model": "b"})"),
                 "tokenizer.shared: set it to false"));
  CHECK(mentions(found(R"({"tokenizer.model": "m", "tokenizer.shared": false, "model.tying": "none"})"),
                 "tokenizer.shared", "serves both sides"));
  CHECK(mentions(found(R"({"tokenizer.model": "m", "tokenizer.user_symbols": ["x"]})"), "tokenizer.user_symbols"));
  CHECK(mentions(found(R"({"tokenizer.vocab_size": 6, "tokenizer.user_symbols": ["x", "y"]})"),
                 "tokenizer.vocab_size: 6", "at least 7"));
  CHECK(found(R"({"tokenizer.model": "m"})").empty());
  CHECK(
      found(
          R"({"tokenizer.source_model": "a", "tokenizer.target_model": "b", "tokenizer.shared": false, "model.tying": "two_way"})")
          .empty());
}

TEST_CASE("options that no tokenizer can be trained with are refused before anything starts") {
  CHECK_THROWS_AS(found(R"({"tokenizer.user_symbols": [""]})"), Error);
  CHECK(mentions(found(R"({"tokenizer.user_symbols": ["<pad>"]})"), "special symbol"));
  CHECK(mentions(found(R"({"tokenizer.user_symbols": ["a "]})"), "blank"));
  CHECK(mentions(found(R"({"tokenizer.type": "word", "tokenizer.user_symbols": ["a"]})"), "word model"));
  CHECK(found(R"({"tokenizer.user_symbols": ["<mask>", "a,b", "'q'"]})").empty());
}

TEST_CASE("models that do not exist are named by path") {
  CHECK(mentions(found(R"({"model.heads": 3})"), "model.heads", "512", "3"));
  CHECK(found(R"({"model.heads": 3, "model.d_k": 10, "model.d_v": 12})").empty());
  CHECK(mentions(found(R"({"model.heads": 3, "model.d_k": 10})"), "model.heads"));
  CHECK(mentions(found(R"({"model.d_model": 29, "model.heads": 1})"), "model.encoder_positions.type",
                 "model.decoder_positions.type", "even"));
  CHECK(found(R"({"model.d_model": 29, "model.heads": 1, "model.positions.type": "learned"})").empty());
  CHECK(mentions(found(R"({"tokenizer.shared": false})"), "model.tying", "needs one vocabulary"));
}

TEST_CASE("a learned table reaches as far as the data and the decoder do") {
  const std::string base = R"("model.positions.type": "learned", "data.max_pieces": 100)";
  CHECK(mentions(found("{" + base + R"(, "model.encoder_positions.max_length": 100})"),
                 "model.encoder_positions.max_length", "up to 101"));
  CHECK(found("{" + base + R"(, "model.encoder_positions.max_length": 101})").empty());
  CHECK(mentions(found("{" + base + R"(, "model.decoder_positions.max_length": 151})"),
                 "model.decoder_positions.max_length", "up to 152"));
  CHECK(found("{" + base + R"(, "model.decoder_positions.max_length": 152})").empty());
  CHECK(found("{" + base + R"(, "model.positions.max_length": 10, "model.positions.beyond": "clamp"})").empty());
}

TEST_CASE("position methods are refused by path where they cannot work") {
  CHECK(mentions(found(R"({"model.positions.type": "rotary", "model.d_k": 33})"),
                 "model.encoder_positions.type: \"rotary\" needs an even d_k", "model.decoder_positions.type"));
  CHECK(mentions(found(R"({"model.positions.type": "rotary", "model.positions.layout": "tensor2tensor"})"),
                 "model.encoder_positions.layout: \"tensor2tensor\"", "takes interleaved, halves"));
  CHECK(
      mentions(found(R"({"model.encoder_positions.type": "hybrid", "model.encoder_positions.sinusoidal_width": 513})"),
               "model.encoder_positions.sinusoidal_width: expected an even number"));
  CHECK(
      mentions(found(R"({"model.decoder_positions.type": "learned", "model.decoder_positions.beyond": "interpolate"})"),
               "model.decoder_positions.beyond: \"interpolate\""));
  CHECK(mentions(found(R"({"model.positions.type": "shaw", "model.attention": "fused"})"),
                 "model.attention: \"fused\" does not give its weights"));
  CHECK(mentions(found(R"({"model.positions.type": "t5", "model.positions.max_distance": 9})"),
                 "model.decoder_positions.max_distance: expected more than 16"));
  for (const std::string type : {"shaw", "transformer_xl", "t5", "alibi", "rotary"}) {
    CHECK(found(R"({"model.positions.type": ")" + type + R"(", "data.max_pieces": 100000})").empty());
  }
  CHECK(found(R"({"model.encoder_positions.type": "hybrid", "model.encoder_positions.max_length": 20,
                  "model.encoder_positions.beyond": "interpolate"})")
            .empty());
}

TEST_CASE("stopping, averaging and schedules need what they count on") {
  CHECK(mentions(found(R"({"training.patience": 3})"), "training.patience", "training.validate_every"));
  CHECK(mentions(found(R"({"training.evaluate": "average"})"), "training.evaluate",
                 "training.average_last of at least 2"));
  CHECK(mentions(found(R"({"training.evaluate": "average", "training.average_last": 5})"),
                 "training.validate_every is 0"));
  CHECK(mentions(
      found(R"({"training.evaluate": "average", "training.average_last": 50, "training.validate_every": 100})"),
      "training.average_last: 50 is more"));
  CHECK(
      found(R"({"training.evaluate": "average", "training.average_last": 5, "training.validate_every": 100})").empty());
  CHECK(mentions(found(R"({"training.schedule.type": "cosine", "training.schedule.final_rate": 1})"),
                 "training.schedule.final_rate", "above training.schedule.peak"));
}

TEST_CASE("decoding must be able to write something") {
  CHECK(mentions(found(R"({"decoding.max_length_ratio": 0, "decoding.max_length_extra": 0})"), "allows no token"));
  CHECK(mentions(found(R"({"decoding.max_length_ratio": 0, "decoding.min_length": 60})"), "decoding.min_length: 60"));
}

}  // namespace
}  // namespace attnlab::spec
