#include "sacrebleu/command/command.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <ostream>

#include <fmt/format.h>

#include "sacrebleu/command/exit.h"
#include "sacrebleu/command/options.h"
#include "sacrebleu/command/report.h"
#include "sacrebleu/command/session.h"
#include "sacrebleu/error.h"

namespace sacrebleu {
namespace {

OutputFormat chosen_format(OutputFormat format, const std::optional<std::string>& variable) {
  if (!variable) return format;
  std::string name = *variable;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name == "json") return OutputFormat::json;
  if (name == "text") return OutputFormat::text;
  return name == "latex" ? OutputFormat::latex : format;
}

}  // namespace

int run_command(const std::string& program, const std::vector<std::string>& words, const CommandStreams& streams) {
  try {
    CommandOptions options = read_options(program, words);
    options.format = chosen_format(options.format, streams.environment("SACREBLEU_FORMAT"));
    Session(std::move(options), streams).run();
    return 0;
  } catch (const Exit& exit) {
    (exit.code == 0 ? streams.out : streams.error) << exit.text;
    return exit.code;
  } catch (const Error& error) {
    streams.error << "sacreBLEU: " << error.what() << '\n';
    return 1;
  } catch (const std::filesystem::filesystem_error& error) {
    streams.error << "sacreBLEU: " << error.what() << '\n';
    return 1;
  }
}

int run_command(int argc, const char* const* argv, const CommandStreams& streams) {
  const std::string program = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "sacrebleu-cpp";
  return run_command(program, {argv + std::min(argc, 1), argv + argc}, streams);
}

std::optional<std::string> process_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace sacrebleu
