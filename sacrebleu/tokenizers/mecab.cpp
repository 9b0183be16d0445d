// The tokenizers of Japanese and Korean: MeCab, which is loaded when it is asked for, so that nothing depends on it.

#include <memory>
#include <mutex>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#include "sacrebleu/error.h"
#include "sacrebleu/tokenizers/external.h"
#include "sacrebleu/unicode.h"

namespace sacrebleu {
namespace {

/// What libmecab's C interface calls mecab_dictionary_info_t.
struct DictionaryInfo {
  const char* filename;
  const char* charset;
  unsigned int size;
  int type;
  unsigned int left_size, right_size;
  unsigned short version;
  DictionaryInfo* next;
};

/// libmecab's C interface, as far as it is needed.
class Library {
 public:
  Library()
      : handle_(dlopen("libmecab.so.2", RTLD_NOW), [](void* handle) {
          if (handle != nullptr) dlclose(handle);
        }) {
    if (!handle_) {
      throw Error(ErrorKind::runtime,
                  fmt::format("MeCab is not installed ({}): install libmecab2 (Debian/Ubuntu)", dlerror()));
    }
  }
  template <class Function>
  [[nodiscard]] Function* function(const char* name) const {
    auto* address = dlsym(handle_.get(), name);
    if (address == nullptr) throw Error(ErrorKind::runtime, fmt::format("libmecab.so.2 lacks the function {}", name));
    return reinterpret_cast<Function*>(address);
  }

 private:
  std::unique_ptr<void, void (*)(void*)> handle_;
};

class MeCab : public Tokenizer {
 public:
  MeCab(const std::string& name, const std::string& dictionary)
      : parse_(library_.function<const char*(void*, const char*, std::size_t)>("mecab_sparse_tostr2")),
        tagger_(open(dictionary), library_.function<void(void*)>("mecab_destroy")) {
    if (!tagger_) {
      throw Error(ErrorKind::runtime, fmt::format("MeCab cannot open the dictionary '{}': {}", dictionary,
                                                  library_.function<const char*(void*)>("mecab_strerror")(nullptr)));
    }
    const bool japanese = name == "ja-mecab";
    const unsigned int expected = japanese ? 392126 : 811795;
    const auto* info = library_.function<const DictionaryInfo*(void*)>("mecab_dictionary_info")(tagger_.get());
    if (info->size != expected || info->next != nullptr) {
      throw Error(ErrorKind::runtime,
                  fmt::format("'{}' needs {} with exactly {} entries and no user dictionary, but '{}' has {}", name,
                              japanese ? "the IPA dictionary" : "mecab-ko-dic", expected, dictionary, info->size));
    }
    signature_ =
        fmt::format("{}-{}-{}", name, library_.function<const char*()>("mecab_version")(), japanese ? "IPA" : "KO");
  }
  [[nodiscard]] std::string signature() const override { return signature_; }
  void apply(std::string_view line, std::string& out) const override {
    line = strip(line);
    const std::lock_guard lock(mutex_);
    const char* text = parse_(tagger_.get(), line.data(), line.size());
    if (text == nullptr) throw Error(ErrorKind::runtime, "MeCab could not tokenize a line");
    out.assign(strip(text));
  }
  [[nodiscard]] std::string operator()(std::string_view line) const override {
    std::string out;
    apply(line, out);
    return out;
  }

 private:
  /// mecab_new, since the one-string form of it cannot quote a folder's name.
  [[nodiscard]] void* open(const std::string& dictionary) const {
    std::vector<std::string> words = {"mecab", "-r", "/dev/null", "-d", dictionary, "-Owakati"};
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    return library_.function<void*(int, char**)>("mecab_new")(static_cast<int>(arguments.size()), arguments.data());
  }

  Library library_;
  const char* (*parse_)(void*, const char*, std::size_t);
  std::unique_ptr<void, void (*)(void*)> tagger_;
  std::string signature_;
  mutable std::mutex mutex_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_mecab_tokenizer(const std::string& name, const std::string& dictionary) {
  return std::make_unique<MeCab>(name, dictionary);
}

}  // namespace sacrebleu
