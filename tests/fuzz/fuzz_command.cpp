// The command on any arguments and any standard input: always an exit code, never a crash.

#include <cstdint>
#include <cstdlib>
#include <sstream>

#include "sacrebleu/command/command.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Lines up to the first empty one are arguments; what follows is read as the reference file and as the standard
  // input.
  const std::string all(reinterpret_cast<const char*>(data), size);
  const auto end = all.find("\n\n");
  std::vector<std::string> words;
  std::istringstream head(all.substr(0, end));
  for (std::string word; std::getline(head, word);) {
    // No option may touch the file system or take minutes.
    if (word.find('/') == std::string::npos && word.size() < 30) words.push_back(word);
  }
  const std::string text = end == std::string::npos ? "" : all.substr(end + 2);
  static const std::string file = [] {
    std::string pattern = "/tmp/fuzz_command_XXXXXX";
    if (mkstemp(pattern.data()) < 0) std::abort();
    return pattern;
  }();
  if (FILE* handle = std::fopen(file.c_str(), "wb")) {
    std::fwrite(text.data(), 1, text.size(), handle);
    std::fclose(handle);
  }
  words.insert(words.begin(), file);
  for (const char* option : {"-cin", "-parn", "-pbsn", "-w", "-cc", "-cw"}) {
    words.emplace_back(option);
    words.emplace_back("3");
  }
  std::istringstream in(text);
  std::ostringstream out, error;
  const auto environment = [](const std::string& name) {
    return name == "SACREBLEU" ? std::optional<std::string>("/nonexistent") : std::nullopt;
  };
  const int code = sacrebleu::run_command("fuzz", words, {in, out, error, false, environment, nullptr});
  if (code != 0 && code != 1 && code != 2 && code != 17) std::abort();
  return 0;
}
