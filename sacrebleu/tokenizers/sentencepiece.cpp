// The tokenizer of spBLEU: the pieces of a SentencePiece model, joined by spaces.

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include "sacrebleu/error.h"
#include "sacrebleu/tokenizers/external.h"

namespace sacrebleu {
namespace {

class SentencePieces : public Tokenizer {
 public:
  SentencePieces(const std::string& model_file, std::string signature) : signature_(std::move(signature)) {
    const auto status = processor_.Load(model_file);
    if (!status.ok()) {
      throw Error(ErrorKind::runtime,
                  fmt::format("cannot read the SentencePiece model '{}': {}", model_file, status.ToString()));
    }
  }
  [[nodiscard]] std::string signature() const override { return signature_; }
  void apply(std::string_view line, std::string& out) const override {
    std::vector<std::string> pieces;
    const auto status = processor_.Encode({line.data(), line.size()}, &pieces);
    if (!status.ok()) throw Error(ErrorKind::runtime, "SentencePiece: " + status.ToString());
    out.clear();
    for (const auto& piece : pieces) {
      if (!out.empty()) out += ' ';
      out += piece;
    }
  }
  [[nodiscard]] std::string operator()(std::string_view line) const override {
    std::string out;
    apply(line, out);
    return out;
  }

 private:
  sentencepiece::SentencePieceProcessor processor_;
  std::string signature_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_sentencepiece_tokenizer(const std::string& model_file, const std::string& signature) {
  return std::make_unique<SentencePieces>(model_file, signature);
}

}  // namespace sacrebleu
