#include <fstream>
#include <map>
#include <sstream>

#include "sacrebleu/command/command.h"
#include "tests/sacrebleu/cases/run_cases.h"
#include "tests/support/temporary_folder.h"

namespace sacrebleu::cases {
namespace {

namespace fs = std::filesystem;

std::string decode_base64(const std::string& text) {
  static const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned buffer = 0;
  int bits = 0;
  for (const char c : text) {
    const auto value = alphabet.find(c);
    if (value == std::string::npos) continue;
    buffer = (buffer << 6U) | static_cast<unsigned>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>((buffer >> static_cast<unsigned>(bits)) & 0xFFU);
  }
  return bytes;
}

/// A new folder that is the working directory as long as it lives.
class WorkingFolder {
 public:
  WorkingFolder() : before_(fs::current_path()) { fs::current_path(folder_.path()); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;
  ~WorkingFolder() { fs::current_path(before_); }

 private:
  attnlab::tests::TemporaryFolder folder_;
  fs::path before_;
};

/// The result must be the same however few lines are held.
void run(const Json& test, std::size_t block_lines, Report& report) {
  const WorkingFolder folder;
  for (const auto& [name, content] : test["files_b64"].items())
    std::ofstream(name, std::ios::binary) << decode_base64(content);
  std::istringstream in(decode_base64(test["stdin_b64"]));
  std::ostringstream out, error;
  std::map<std::string, std::string> environment;
  for (const char* key : {"env", "pyenv"}) {
    for (const auto& [name, value] : test[key].items()) environment[name] = value;
  }
  const auto lookup = [&environment](const std::string& name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  };
  const CommandStreams streams{in, out, error, /*terminal=*/false, lookup, nullptr};
  const int code = run_command("__main__.py", test["argv"].get<std::vector<std::string>>(), streams, block_lines);
  if (code != test["rc"].get<int>()) report.differ("exit code", test["rc"].dump(), std::to_string(code));
  report.text("stdout", test["stdout"], out.str());
  // Where the original shows a traceback, the words of the message are ours.
  if (test["traceback"].is_null()) {
    report.text("stderr", test["stderr"], error.str());
  } else if (error.str().empty()) {
    report.differ("stderr", "a message", "nothing");
  }
}

}  // namespace

void run_command_cases(const Json& cases, Report& report) {
  for (const auto& test : cases) {
    report.begin(test["name"]);
    try {
      for (const std::size_t block_lines : {kBlockLines, std::size_t{1}, std::size_t{3}})
        run(test, block_lines, report);
    } catch (const std::exception& error) {
      report.differ("error", "none", error.what());
    }
  }
}

}  // namespace sacrebleu::cases
