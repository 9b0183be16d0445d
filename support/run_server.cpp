#include "support/run_server.h"

#include <istream>
#include <ostream>
#include <sstream>
#include <string>

namespace attnlab {
namespace {

/// The N of `run N`; 0 if the line is something else.
int64_t run_count(const std::string& line) {
  std::istringstream words(line);
  std::string command;
  int64_t count = 0;
  words >> command >> count;
  return command == "run" && count > 0 ? count : 0;
}

}  // namespace

void serve_runs(std::istream& in, std::ostream& out, const Json& ready, const std::function<Json(int64_t)>& measure) {
  out << ready.dump() << std::endl;
  for (std::string line; std::getline(in, line) && line != "quit";) {
    const int64_t count = run_count(line);
    const Json answer = count > 0 ? measure(count) : Json{{"error", "expected 'run N' or 'quit', got " + line}};
    out << answer.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
  }
}

}  // namespace attnlab
