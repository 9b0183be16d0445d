#include "experiments/checkpoint/safetensors.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/error.h"
#include "support/files.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::checkpoint {
namespace {

using tests::error_message;
using tests::TemporaryFolder;

const std::filesystem::path kPythonFile =
    std::filesystem::path(ATTNLAB_TESTS_DIR) / "experiments/checkpoint/data/python.safetensors";

const torch::Tensor& tensor(const TensorFile& file, const std::string& name) {
  for (const auto& entry : file.tensors) {
    if (entry.first == name) return entry.second;
  }
  throw std::runtime_error("no tensor " + name);
}

void write(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::string with_header(const std::string& header, const std::string& data) {
  const uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
}

TEST_CASE("A file that Python's safetensors wrote is read", "[safetensors]") {
  const TensorFile file = load_tensors(kPythonFile);
  CHECK(file.metadata == std::map<std::string, std::string>{{"note", "Äpfel \"quoted\""}});
  CHECK(file.tensors.size() == 7);
  CHECK(torch::equal(tensor(file, "matrix"), torch::tensor({{0.5F, -1.0F, 2.0F}, {3.25F, 1e-30F, -0.0F}})));
  CHECK(torch::equal(tensor(file, "half"), torch::tensor({1.5F, -2.0F}).to(at::kHalf)));
  CHECK(torch::equal(tensor(file, "brain"), torch::tensor({1.0F, 3.0F}).to(at::kBFloat16)));
  CHECK(tensor(file, "double").item<double>() == 0.1);
  CHECK(tensor(file, "double").dim() == 0);
  CHECK(torch::equal(tensor(file, "long"), torch::tensor({int64_t{1} << 62, int64_t{-1}})));
  CHECK(torch::equal(tensor(file, "flag"), torch::tensor({true, false, true})));
  CHECK(tensor(file, "empty").sizes() == torch::IntArrayRef({0, 4}));
}

TEST_CASE("What is saved is loaded in the same order, strided tensors too", "[safetensors]") {
  TemporaryFolder folder;
  const torch::Tensor strided = torch::arange(6, at::kFloat).view({2, 3}).t();
  save_tensors(folder / "a.safetensors", {{"z", strided}, {"a/ü", torch::tensor(int64_t{7})}},
               {{"k", "v\n\"crc32\":\"x"}});
  const TensorFile file = load_tensors(folder / "a.safetensors");
  REQUIRE(file.tensors.size() == 2);
  CHECK(file.tensors[0].first == "z");
  CHECK(torch::equal(file.tensors[0].second, strided));
  CHECK(file.tensors[1].second.item<int64_t>() == 7);
  CHECK(file.metadata == std::map<std::string, std::string>{{"k", "v\n\"crc32\":\"x"}});
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("Every flipped byte and every cut is noticed", "[safetensors]") {
  TemporaryFolder folder;
  const auto path = folder / "weights.safetensors";
  save_tensors(path, {{"w", torch::ones({3})}, {"b", torch::zeros({2})}}, {{"step", "12"}});
  const std::string whole = read_file(path, "test");
  const size_t key = whole.find("crc32");
  for (size_t i = 0; i < whole.size(); ++i) {
    if (i >= key && i < key + 5) continue;  // the checksum's own name: everything else is whole then
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x01);
    write(path, flipped);
    INFO("byte " << i);
    CHECK(error_message([&] { load_tensors(path); }).find("weights.safetensors") != std::string::npos);
  }
  for (const size_t size : {whole.size() - 1, whole.size() / 2, size_t{9}, size_t{3}}) {
    write(path, whole.substr(0, size));
    CHECK(error_message([&] { load_tensors(path); }).find("is damaged") != std::string::npos);
  }
  write(path, whole + "x");
  CHECK(error_message([&] { load_tensors(path); }).find("is damaged") != std::string::npos);
}

TEST_CASE("Impossible headers are refused", "[safetensors]") {
  TemporaryFolder folder;
  const auto path = folder / "x.safetensors";
  const std::string four(4, '\0');
  const auto refusal = [&](const std::string& header, const std::string& data) {
    write(path, with_header(header, data));
    return error_message([&] { load_tensors(path); });
  };
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", four) == "(no error)");
  CHECK(refusal(R"([])", "").find("no JSON object") != std::string::npos);
  CHECK(refusal(R"({"a":{"dtype":"F7","shape":[1],"data_offsets":[0,4]}})", four).find("unknown type") !=
        std::string::npos);
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", four).find("shape") != std::string::npos);
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", four).find("'a'") != std::string::npos);
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", "").find("'a'") !=
        std::string::npos);
  CHECK(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", four + four).find("'a'") !=
        std::string::npos);
  CHECK(refusal(R"({"a":1})", "").find("'a'") != std::string::npos);
  CHECK(refusal(R"({"__metadata__":{"x":1}})", "").find("'x'") != std::string::npos);
  CHECK(error_message([&] { load_tensors(folder / "none"); }).find("no such file") != std::string::npos);
  CHECK(error_message([&] { load_tensors(folder.path()); }).find("folder") != std::string::npos);
}

TEST_CASE("Types and names that the format does not know are refused when saving", "[safetensors]") {
  TemporaryFolder folder;
  const auto path = folder / "x.safetensors";
  CHECK(error_message([&] {
          save_tensors(path, {{"c", torch::zeros(1, at::kComplexFloat)}});
        }).find("'c'") != std::string::npos);
  CHECK(error_message([&] {
          save_tensors(path, {{"a", torch::zeros(1)}, {"a", torch::zeros(1)}});
        }).find("'a'") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("Python's safetensors opens our files", "[interop]") {
  const char* python = std::getenv("ATTNLAB_PYTHON");
  if (!python) {
    WARN("skipped: ATTNLAB_PYTHON names no Python with safetensors and torch");
    return;
  }
  TemporaryFolder folder;
  const auto path = folder / "ours.safetensors";
  save_tensors(path, {{"w", torch::arange(6, at::kFloat).view({2, 3})}, {"h", torch::ones({2}, at::kBFloat16)}},
               {{"step", "12"}});
  const std::string script =
      "import sys, torch\n"
      "from safetensors import safe_open\n"
      "with safe_open(sys.argv[1], 'pt') as f:\n"
      "    assert f.metadata()['step'] == '12'\n"
      "    assert torch.equal(f.get_tensor('w'), torch.arange(6.).view(2, 3))\n"
      "    assert f.get_tensor('h').dtype == torch.bfloat16\n";
  write(folder / "open.py", script);
  const std::string command = std::string(python) + " " + (folder / "open.py").string() + " " + path.string();
  CHECK(std::system(command.c_str()) == 0);
}

}  // namespace
}  // namespace attnlab::checkpoint
