#pragma once
/// Tokenizers that need a model or a dictionary: spm, flores101, flores200 and spBLEU-1K (SentencePiece), ja-mecab and
/// ko-mecab (MeCab). Linked from a library of its own, so that the rest needs neither.

#include <functional>
#include <optional>
#include <string>

#include "sacrebleu/tokenizers/tokenizer.h"

namespace sacrebleu {

/// A factory for BleuOptions::tokenizers; it returns nullptr for names that need nothing external.
///
/// SentencePiece models lie in $SACREBLEU/models (default ~/.sacrebleu/models) under the names of the original; nothing
/// is downloaded. MeCab is loaded when libmecab and the dictionary are installed. Otherwise the factory throws Error
/// (runtime) that says what to put where.
TokenizerFactory external_tokenizers(std::function<std::optional<std::string>(const std::string&)> environment);

/// A SentencePiece tokenizer from a model file, with that name in the signature.
std::unique_ptr<Tokenizer> make_sentencepiece_tokenizer(const std::string& model_file, const std::string& signature);

/// ja-mecab with the IPA dictionary or ko-mecab with mecab-ko-dic; `dictionary` is the folder of the compiled
/// dictionary.
std::unique_ptr<Tokenizer> make_mecab_tokenizer(const std::string& name, const std::string& dictionary);

}  // namespace sacrebleu
