#pragma once
/// Tercom's tokenisation, for TER.

#include <string>
#include <string_view>

namespace sacrebleu {

struct TerOptions {
  bool normalized = false;  ///< splits punctuation, joins lines, decodes four entities
  bool no_punct = false;    ///< removes . , ? : ; ! " ( )
  bool asian_support =
      false;  ///< with normalized: splits CJK characters; with no_punct: removes their punctuation; alone: nothing
  bool case_sensitive = false;  ///< false: everything is lower-cased
};

/// The words of line, joined by single spaces.
std::string tercom_tokenize(std::string_view line, const TerOptions& options);

}  // namespace sacrebleu
