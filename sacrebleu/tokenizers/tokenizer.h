#pragma once
/// The tokenizers of BLEU. A tokenizer rewrites a line; its words are what whitespace then separates.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sacrebleu {

class Tokenizer {
 public:
  Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;
  virtual ~Tokenizer() = default;

  /// The value of "tok" in a signature.
  [[nodiscard]] virtual std::string signature() const = 0;
  /// Replaces `out` by line with whitespace put between its tokens. Safe to call from several threads.
  virtual void apply(std::string_view line, std::string& out) const = 0;
  /// The tokenised line as the original returns it: tokens joined by one space, unless a tokenizer says otherwise.
  [[nodiscard]] virtual std::string operator()(std::string_view line) const;
};

/// A tokenizer that needs nothing but the text.
struct BasicTokenizer {
  std::string name, description;
  std::unique_ptr<Tokenizer> (*make)();
};

/// All of them, the default first.
const std::vector<BasicTokenizer>& basic_tokenizers();

/// The named one. Throws Error for any other name.
std::unique_ptr<Tokenizer> make_basic_tokenizer(const std::string& name);

/// Every name that the original knows, in its order.
const std::vector<std::string>& tokenizer_names();

/// Makes tokenizers that need more than this library (a model file, a dictionary): spm, flores101, flores200,
/// spBLEU-1K, ja-mecab, ko-mecab. See tokenizers/external.h.
using TokenizerFactory = std::function<std::unique_ptr<Tokenizer>(const std::string& name)>;

}  // namespace sacrebleu
