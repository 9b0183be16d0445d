// NAME FOLDER...: feeds every file of the folders, and an empty input, to a fuzz target once. So the saved inputs run
// with every compiler, also where there is no libFuzzer. The exit code is 2 without any input; a fault aborts.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void run_input(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int argc, char* argv[]) {
  std::vector<std::filesystem::path> inputs;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (entry.is_regular_file()) inputs.push_back(entry.path());
    }
  }
  if (inputs.empty()) {
    std::cerr << "usage: " << argv[0] << " FOLDER..., with at least one saved input\n";
    return 2;
  }
  std::sort(inputs.begin(), inputs.end());
  run_input("");
  for (const auto& input : inputs) {
    // Flushed, so that after an abort the last name is the culprit's.
    std::cout << input.string() << std::endl;
    run_input(read(input));
  }
  std::cout << inputs.size() << " inputs passed\n";
}
