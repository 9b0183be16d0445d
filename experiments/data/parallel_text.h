#pragma once
/// Parallel text files: plain or gzip, UTF-8, one sentence a line.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/data/corpus.h"
#include "support/error.h"

namespace attnlab::data {

/// A text file that is not there, unlike one that cannot be used.
class MissingText : public Error {
 public:
  using Error::Error;
};

/// What to do with bytes that are no UTF-8 text: broken sequences, and NUL.
enum class BadUtf8 { refuse, replace };

/// `refuse` or `replace`. Throws attnlab::Error for another name.
BadUtf8 bad_utf8_policy(std::string_view name);

/// The first byte of a text that is no UTF-8 text (broken, or NUL), or npos.
size_t first_bad_byte(std::string_view text);

/// `dir/stem.language`, or the same with `.gz` where the plain file is not there. `key` (e.g. "data.train") begins the
/// message of the MissingText that is thrown when neither is, and of the attnlab::Error when both are and hold
/// different text.
std::filesystem::path find_text(const std::string& dir, const std::string& stem, const std::string& language,
                                std::string_view key);

/// The whole of a file that may be gzip (known by its first bytes, not by its name), decompressed. Throws
/// attnlab::Error as `read_file` does, and for a damaged or cut-off archive.
std::string read_text(const std::filesystem::path& path, std::string_view key);

/// The stem of a split's files: data.train, data.valid or data.test.
const std::string& stem_of(const spec::DataConfig& config, SplitName name);

/// The lines of a text. Only LF ends a line; a CR before it belongs to the end (CRLF), a byte order mark at the start
/// is dropped, and a last line needs no LF. U+2028, NEL, VT and FF are characters like any other. Bad bytes are
/// replaced by U+FFFD or refused with `name` and line number; text that looks like UTF-16 or UTF-32 is always refused.
/// A text that is a later part of a file says with `first_line` (from 1) where it begins.
std::vector<std::string> split_lines(std::string_view text, BadUtf8 policy, std::string_view name,
                                     size_t first_line = 1);

/// Throws attnlab::Error if the start of a text looks like UTF-16 or UTF-32.
void refuse_wide_encoding(std::string_view text, std::string_view name);

/// True for a line of nothing but blanks (see tokenizer/blanks.h).
bool is_blank(std::string_view line);

/// The warnings of a split: notes on the text of its sides, each with the name of the file.
std::vector<std::string> warnings_of(const spec::DataConfig& config, SplitName name,
                                     const std::vector<std::string>& source_notes,
                                     const std::vector<std::string>& target_notes);

/// Both sides of one split, with `gold` empty. At most `limit` pairs (0 = all). Training pairs of which a side is empty
/// or blank are dropped and counted as "empty"; characters that tokenizers cannot keep are warned of. Throws
/// attnlab::Error for unequal line counts.
Split load_parallel_text(const spec::DataConfig& config, SplitName name);

}  // namespace attnlab::data
