#include "tokenizer/tokenizer.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include "support/error.h"
#include "support/files.h"
#include "tokenizer/blanks.h"
#include "tokenizer/piece_types.h"
#include "tokenizer/utf8.h"

// SentencePiece's library and LibTorch's libc10 both have a global variable of this name, and the dynamic linker makes
// one of the two. In libc10 it is an int; SentencePiece's constructor would fill 32 bytes there and turn the flags
// behind it on, among them the one that makes every failed check abort. Here both find room; neither uses the other's
// value.
extern "C" {
alignas(64) char FLAGS_minloglevel[256] = {};
}

namespace attnlab::tokenizer {

struct Tokenizer::Model {
  sentencepiece::SentencePieceProcessor processor;
  std::string bytes;               ///< what it was loaded from
  std::vector<bool> user_symbols;  ///< by id
  int32_t pad = -1, unk = -1, bos = -1, eos = -1;
  int32_t blank = -1;              ///< the lone "▁", or -1
  bool puts_blank_before = false;  ///< whether every line gets a "▁" before it

  bool is_special(int32_t id) const { return id == pad || id == bos || id == eos || processor.IsControl(id); }

  void append_ids(std::string_view text, Ids& ids) const {
    Ids more;
    const auto status = processor.Encode(absl::string_view(text.data(), text.size()), &more);
    if (!status.ok()) throw Error(fmt::format("SentencePiece cannot encode a line: {}", status.error_message()));
    ids.insert(ids.end(), more.begin(), more.end());
  }

  void require_in_vocabulary(int32_t id) const {
    if (id < 0 || id >= processor.GetPieceSize())
      throw Error(fmt::format("id {} is outside the vocabulary of {} pieces", id, processor.GetPieceSize()));
  }
};

namespace {

constexpr std::string_view kBlank = "\u2581";

/// Names and ids of the symbols that every model must have.
using Specials = std::array<std::pair<const char*, int32_t>, 4>;

void require_distinct(const Specials& specials, const std::string& name) {
  for (const auto& [what, id] : specials)
    if (id < 0)
      throw Error(fmt::format(
          "{}: the SentencePiece model has no {} symbol; train it with --pad_id=0 --unk_id=1 --bos_id=2 --eos_id=3",
          name, what));
  for (size_t i = 0; i < specials.size(); ++i)
    for (size_t j = i + 1; j < specials.size(); ++j)
      if (specials[i].second == specials[j].second)
        throw Error(fmt::format("{}: {} and {} have the same id {}; a model with four different ones is needed", name,
                                specials[i].first, specials[j].first, specials[i].second));
}

/// SentencePiece's time grows with the square of a run of unknown characters, so that it sees no more than this at
/// once.
constexpr size_t kStretch = 4096;

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// Takes a stretch off the front of a line, up to a blank where there is one. No piece goes across a blank, so the ids
/// are those of the whole line; only a word that is longer than a stretch is read as several.
std::string_view take_stretch(std::string_view& line, bool blank_is_implied) {
  size_t end = line.size();
  size_t skipped = 0;
  if (line.size() > kStretch) {
    end = line.rfind(' ', kStretch);
    if (end != std::string_view::npos && end > 0) {
      skipped = blank_is_implied && end + 1 < line.size() ? 1 : 0;
    } else {
      end = kStretch;
      while (continues_character(line[end])) --end;
    }
  }
  const std::string_view stretch = line.substr(0, end);
  line.remove_prefix(end + skipped);
  return stretch;
}

}  // namespace

Tokenizer Tokenizer::load(const std::string& path) {
  return from_bytes(read_file(path, "tokenizer model"), path);
}

Tokenizer Tokenizer::from_bytes(std::string_view model, const std::string& name) {
  auto loaded = std::make_shared<Model>();
  const auto status = loaded->processor.LoadFromSerializedProto(absl::string_view(model.data(), model.size()));
  if (!status.ok()) throw Error(fmt::format("{}: not a SentencePiece model, or a damaged one", name));
  loaded->pad = loaded->processor.pad_id();
  loaded->unk = loaded->processor.unk_id();
  loaded->bos = loaded->processor.bos_id();
  loaded->eos = loaded->processor.eos_id();
  require_distinct({{{"pad", loaded->pad}, {"unk", loaded->unk}, {"bos", loaded->bos}, {"eos", loaded->eos}}}, name);
  loaded->user_symbols = user_symbols_of_model(model);
  loaded->user_symbols.resize(static_cast<size_t>(loaded->processor.GetPieceSize()));
  const int blank = loaded->processor.PieceToId(absl::string_view(kBlank.data(), kBlank.size()));
  loaded->blank = blank == loaded->unk ? -1 : blank;
  loaded->bytes = model;
  Ids probe;
  loaded->append_ids("a", probe);
  loaded->puts_blank_before = !probe.empty() && loaded->processor.IdToPiece(probe[0]).starts_with(kBlank);
  Tokenizer tokenizer;
  tokenizer.model_ = std::move(loaded);
  return tokenizer;
}

Ids Tokenizer::encode(std::string_view line) const {
  const std::string text = with_plain_blanks(with_invalid_utf8_replaced(line));
  Ids ids;
  for (std::string_view rest = text; !rest.empty();)
    model_->append_ids(take_stretch(rest, model_->puts_blank_before), ids);
  // The blank that SentencePiece puts before every line would make two ids of a symbol that stands alone.
  if (ids.size() > 1 && ids[0] == model_->blank && model_->user_symbols[static_cast<size_t>(ids[1])])
    ids.erase(ids.begin());
  for (int32_t& id : ids)
    if (model_->is_special(id)) id = model_->unk;
  return ids;
}

std::string Tokenizer::decode(const Ids& ids) const {
  Ids kept;
  kept.reserve(ids.size());
  for (const int32_t id : ids) {
    model_->require_in_vocabulary(id);
    if (!model_->is_special(id)) kept.push_back(id);
  }
  std::string text;
  const auto status = model_->processor.Decode(kept, &text);
  if (!status.ok()) throw Error(fmt::format("SentencePiece cannot decode ids: {}", status.error_message()));
  // Some models write unknown words with a blank before them, which is one too many at the start of a line.
  if (!kept.empty() && kept.front() == model_->unk && text.starts_with(' ')) text.erase(0, 1);
  return with_invalid_utf8_replaced(text);
}

std::string Tokenizer::piece(int32_t id) const {
  model_->require_in_vocabulary(id);
  return with_invalid_utf8_replaced(model_->processor.IdToPiece(id));
}

const std::string& Tokenizer::bytes() const {
  return model_->bytes;
}
Ids Tokenizer::control_ids() const {
  Ids ids;
  for (int32_t id = 0; id < vocab_size(); ++id)
    if (model_->is_special(id)) ids.push_back(id);
  return ids;
}
int32_t Tokenizer::vocab_size() const {
  return model_->processor.GetPieceSize();
}
int32_t Tokenizer::pad() const {
  return model_->pad;
}
int32_t Tokenizer::unk() const {
  return model_->unk;
}
int32_t Tokenizer::bos() const {
  return model_->bos;
}
int32_t Tokenizer::eos() const {
  return model_->eos;
}

}  // namespace attnlab::tokenizer
