// Every tokenizer on any text: no crash, valid UTF-8, and no character lost that is not whitespace (except by rules
// that delete).

#include <cstdint>
#include <cstdlib>

#include "sacrebleu/tokenizers/tercom.h"
#include "sacrebleu/tokenizers/tokenizer.h"
#include "tests/fuzz/valid_utf8.h"

namespace {

std::string without_space(std::string_view text) {
  std::string rest;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = sacrebleu::next_code_point(text, at);
    if (!sacrebleu::is_space(c)) sacrebleu::append_utf8(rest, c);
  }
  return rest;
}

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sacrebleu;
  const std::string line = fuzz::valid_utf8({reinterpret_cast<const char*>(data), size});
  const std::string lowered = lower(line);
  require(invalid_utf8(lowered) == std::string_view::npos);
  for (const char* name : {"none", "13a", "zh", "intl", "char"}) {
    const std::string tokens = (*make_basic_tokenizer(name))(line);
    require(invalid_utf8(tokens) == std::string_view::npos);
    if (std::string_view(name) != "13a") require(without_space(tokens) == without_space(line));
  }
  for (unsigned options = 0; options < 16; ++options) {
    const TerOptions ter{(options & 1) != 0, (options & 2) != 0, (options & 4) != 0, (options & 8) != 0};
    require(invalid_utf8(tercom_tokenize(line, ter)) == std::string_view::npos);
  }
  return 0;
}
