#include "app/text_input.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "app/line_reader.h"
#include "app/say.h"
#include "support/error.h"

namespace attnlab::app {

std::vector<std::string> read_lines(const std::string& path, const std::string& what) {
  LineReader reader(path, what);
  constexpr size_t kAll = std::numeric_limits<size_t>::max();
  std::vector<std::string> all;
  for (auto lines = reader.next(kAll); !lines.empty(); lines = reader.next(kAll))
    all.insert(all.end(), std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end()));
  return all;
}

void require_one_standard_input(std::span<const std::string> paths, const std::string& options) {
  if (std::count(paths.begin(), paths.end(), "-") > 1)
    throw Error(options + ": only one of them can be the standard input, -");
}

namespace {

/// A sentence of unknown words is translated all the same, into something that has nothing to do with it.
void warn_of_unknown(const std::vector<tokenizer::Ids>& encoded, int32_t unk, const std::string& what, size_t before) {
  const auto has_unknown = [unk](const auto& ids) { return std::find(ids.begin(), ids.end(), unk) != ids.end(); };
  const auto first = std::find_if(encoded.begin(), encoded.end(), has_unknown);
  if (first == encoded.end()) return;
  say("attnlab: warning: {}: {} of {} lines have words or characters that the model does not know; the first is line "
      "{}\n",
      what, std::count_if(first, encoded.end(), has_unknown), encoded.size(),
      before + static_cast<size_t>(first - encoded.begin()) + 1);
}

}  // namespace

std::vector<tokenizer::Ids> encode_lines(const tokenizer::Tokenizer& tokenizer, std::span<const std::string> lines,
                                         int64_t most, const std::string& what, size_t before) {
  std::vector<tokenizer::Ids> result;
  result.reserve(lines.size());
  for (const std::string& line : lines) {
    tokenizer::Ids ids = tokenizer.encode(line);
    if (ids.size() > static_cast<size_t>(most)) {
      say("attnlab: warning: {}: line {}: {} pieces, cropped to data.max_pieces = {}\n", what,
          before + result.size() + 1, ids.size(), most);
      ids.resize(static_cast<size_t>(most));
    }
    ids.push_back(tokenizer.eos());
    result.push_back(std::move(ids));
  }
  warn_of_unknown(result, tokenizer.unk(), what, before);
  return result;
}

}  // namespace attnlab::app
