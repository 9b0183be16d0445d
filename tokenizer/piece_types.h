#pragma once
/// The one fact about a SentencePiece model that its C++ interface does not tell: which pieces are user symbols.

#include <string_view>
#include <vector>

namespace attnlab::tokenizer {

/// For each id of a serialised `ModelProto` (sentencepiece_model.proto: field 1 holds the pieces, their field 3 the
/// type), whether it is a USER_DEFINED piece. Stops quietly at damaged bytes: SentencePiece itself has checked them
/// before.
std::vector<bool> user_symbols_of_model(std::string_view model);

}  // namespace attnlab::tokenizer
