#include "sacrebleu/command/command.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <new>
#include <ostream>
#include <stdexcept>
#include <system_error>

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

constexpr const char* kNoMemory = "out of memory: ask for fewer resamples, references or orders";

int fail(const CommandStreams& streams, const std::string& message) {
  streams.error << "sacreBLEU: " << message << '\n';
  return 1;
}

}  // namespace

int run_command(const std::string& program, const std::vector<std::string>& words, const CommandStreams& streams,
                std::size_t block_lines) {
  try {
    CommandOptions options = read_options(program, words);
    options.format = chosen_format(options.format, streams.environment("SACREBLEU_FORMAT"));
    Session(std::move(options), streams, block_lines).run();
    return 0;
  } catch (const Exit& exit) {
    (exit.code == 0 ? streams.out : streams.error) << exit.text;
    return exit.code;
  } catch (const Error& error) {
    return fail(streams, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(streams, error.what());
  } catch (const std::system_error& error) {
    return fail(streams, "the system refused: " + error.code().message());
  } catch (const fmt::format_error& error) {
    return fail(streams, fmt::format("cannot print a number ({}): ask for a smaller width (-w)", error.what()));
  } catch (const std::bad_alloc&) {
    return fail(streams, kNoMemory);
  } catch (const std::length_error&) {
    return fail(streams, kNoMemory);
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
