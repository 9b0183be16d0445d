#include "support/json.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "support/error.h"
#include "support/files.h"

namespace attnlab {
namespace {

constexpr int kDeepest = 64;

/// `line:column` of a byte, both from 1; columns count bytes.
std::string position(std::string_view text, size_t byte) {
  const std::string_view before = text.substr(0, byte);
  const size_t line = 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t start = before.rfind('\n');
  return fmt::format("{}:{}", line, start == std::string_view::npos ? byte + 1 : byte - start);
}

/// The library's message without its own number and position: "syntax error while parsing value - ...".
std::string reason(const std::string& message) {
  for (const std::string_view mark : {"syntax error", "number overflow"}) {
    if (const size_t at = message.find(mark); at != std::string::npos) return message.substr(at);
  }
  return message;
}

/// The characters of a text, for the parser; tells others how far it has read.
class Reader {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Reader(const char* next, size_t& count) : next_(next), count_(&count) {}
  const char& operator*() const { return *next_; }
  Reader& operator++() {
    ++next_;
    ++*count_;
    return *this;
  }
  bool operator==(const Reader& other) const { return next_ == other.next_; }
  bool operator!=(const Reader& other) const { return next_ != other.next_; }

 private:
  const char* next_;
  size_t* count_;
};

/// Watches the parser for keys that stand twice in one object and for runaway nesting.
class Watcher {
 public:
  Watcher(const std::string& where, std::string_view text, const size_t& count)
      : where_(where), text_(text), count_(count) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    if (depth > kDeepest) throw Error(fmt::format("{}: nested deeper than {} levels", here(), kDeepest));
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key && !keys_.back().insert(value.get<std::string>()).second) {
      throw Error(fmt::format("{}: the key {} stands twice in the same object; remove one", here(), brief(value)));
    }
    return true;
  }

 private:
  /// The last character that was read: the end of the key, or the bracket that is too many.
  std::string here() const { return fmt::format("{}:{}", where_, position(text_, count_ > 0 ? count_ - 1 : 0)); }

  const std::string& where_;
  std::string_view text_;
  const size_t& count_;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& where) {
  const size_t mark = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  text.remove_prefix(mark);
  if (text.empty()) throw Error(where + ":1:1: this is no valid JSON: unexpected end of input; the text is empty");
  // The parser takes a NUL for the end of the text and would drop what follows.
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos)
    throw Error(fmt::format("{}:{}: this is no valid JSON: a NUL byte; remove it", where, position(text, nul)));
  size_t count = 0;
  try {
    return Json::parse(Reader(text.data(), count), Reader(text.data() + text.size(), count),
                       Watcher(where, text, count));
  } catch (const Json::parse_error& error) {
    const size_t byte = error.byte > 0 ? error.byte - 1 : 0;
    const bool comment = byte < text.size() && text[byte] == '/';
    throw Error(fmt::format("{}:{}: this is no valid JSON: {}{}", where, position(text, std::min(byte, text.size())),
                            reason(error.what()), comment ? " (JSON has no comments; remove them)" : ""));
  } catch (const Json::exception& error) {
    const size_t last = count - std::min<size_t>(count, 2);  // the number's; the parser has read one character more
    throw Error(fmt::format("{}:{}: this is no valid JSON: {}", where, position(text, last), reason(error.what())));
  }
}

Json read_json(const std::filesystem::path& path, std::string_view what) {
  return parse_json(read_file(path, what), path.string());
}

std::string shape_problem(const std::exception& problem) {
  const std::string message = problem.what();
  const size_t end = message.starts_with("[json.exception.") ? message.find("] ") : std::string::npos;
  return end == std::string::npos ? message : message.substr(end + 2);
}

std::string brief(const Json& value, size_t limit) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return text.substr(0, limit) + "...";
}

}  // namespace attnlab
