#include "sacrebleu/tokenizers/external.h"

#include <filesystem>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "sacrebleu/error.h"

namespace sacrebleu {
namespace {

namespace fs = std::filesystem;

struct Model {
  std::string file, signature;
};

const std::map<std::string, Model>& sentencepiece_models() {
  static const std::map<std::string, Model> models = {
      {"spm", {"sacrebleu_tokenizer_spm.model", "flores101"}},
      {"flores101", {"sacrebleu_tokenizer_spm.model", "flores101"}},
      {"flores200", {"flores200sacrebleuspm", "flores200"}},
      {"spBLEU-1K", {"spbleu-1k_tokenizer_spm.model", "spBLEU-1K"}},
  };
  return models;
}

std::unique_ptr<Tokenizer> find_sentencepiece(const std::string& name, const Model& model, const fs::path& models) {
  const fs::path file = models / model.file;
  if (!fs::exists(file)) {
    throw Error(ErrorKind::runtime,
                fmt::format("the tokenizer '{}' needs the SentencePiece model '{}', which is not there. Nothing is "
                            "downloaded: copy the "
                            "model of the original sacreBLEU to that place, or name another folder with SACREBLEU.",
                            name, file.string()));
  }
  return make_sentencepiece_tokenizer(file.string(), model.signature);
}

std::unique_ptr<Tokenizer> find_mecab(const std::string& name, const fs::path& models) {
  const std::string dictionary = name == "ja-mecab" ? "ipadic" : "mecab-ko-dic";
  std::vector<fs::path> places = {models / dictionary};
  for (const char* system :
       {"/var/lib/mecab/dic", "/usr/lib/mecab/dic", "/usr/local/lib/mecab/dic", "/usr/share/mecab/dic"}) {
    places.emplace_back(fs::path(system) / (dictionary + "-utf8"));
    places.emplace_back(fs::path(system) / dictionary);
  }
  for (const auto& place : places) {
    if (fs::exists(place / "sys.dic")) return make_mecab_tokenizer(name, place.string());
  }
  throw Error(
      ErrorKind::runtime,
      fmt::format("the tokenizer '{}' needs MeCab's compiled dictionary {}: put it into '{}' or install it system-wide",
                  name, dictionary, places.front().string()));
}

}  // namespace

TokenizerFactory external_tokenizers(std::function<std::optional<std::string>(const std::string&)> environment) {
  return [environment = std::move(environment)](const std::string& name) -> std::unique_ptr<Tokenizer> {
    const auto folder = environment("SACREBLEU");
    const fs::path models =
        (folder ? fs::path(*folder) : fs::path(environment("HOME").value_or(".")) / ".sacrebleu") / "models";
    if (const auto found = sentencepiece_models().find(name); found != sentencepiece_models().end()) {
      return find_sentencepiece(name, found->second, models);
    }
    return name == "ja-mecab" || name == "ko-mecab" ? find_mecab(name, models) : nullptr;
  };
}

}  // namespace sacrebleu
