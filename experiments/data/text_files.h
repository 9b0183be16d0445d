#pragma once
/// A corpus as text files.

#include <filesystem>

#include "experiments/data/corpus.h"
#include "support/output.h"

namespace attnlab::data {

/// Writes the corpus into `folder` (made if missing) as `train.en`, `train.de`, `val.en`, ..., one line a pair, with
/// the stems and suffixes of `config`, so that `data.dir` can read it. Where there is gold knowledge, also
/// `train.align` (Pharaoh format: source-target words from 0, e.g. "0-0 1-2") and, where it is about pronouns,
/// `train.antecedent` ("pronoun antecedent", source words from 0; an empty line: none). Throws attnlab::Error before
/// anything is written if one of the files is there and `replace` is no (output.h), or if two of them would have one
/// name.
void write_as_text(const Corpus& corpus, const spec::DataConfig& config, const std::filesystem::path& folder,
                   Replace replace);

}  // namespace attnlab::data
