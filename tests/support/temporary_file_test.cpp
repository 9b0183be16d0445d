#include "support/temporary_file.h"

#include <unistd.h>

#include "support/files.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace attnlab {
namespace {

TEST_CASE("a temporary file says what it will be, and takes no name that is in use") {
  const tests::TemporaryFolder folder;
  const std::string start = "out.txt." + std::to_string(::getpid());
  folder.write(start + "-0.tmp", "of a person");
  const TemporaryFile file = create_beside(folder.path() / "out.txt");
  ::close(file.descriptor);
  CHECK(file.name == folder.path() / (start + "-1.tmp"));
  CHECK(awaited_name(file.name.filename().string()) == "out.txt");
  CHECK(read_file(folder.path() / (start + "-0.tmp"), "it") == "of a person");
}

TEST_CASE("only names of temporary files are taken for such") {
  CHECK(awaited_name("best.safetensors.4711-0.tmp") == "best.safetensors");
  CHECK(awaited_name("a.1-10.tmp") == "a");
  CHECK(awaited_name("a.1-0.tmp.2-3.tmp") == "a.1-0.tmp");
  for (const char* name :
       {"my.tmp", "best.safetensors.tmp", "a.1-.tmp", "a.-1.tmp", "a.01-0.tmp", "a.1-00.tmp", "a.1-0x.tmp", "a.x-0.tmp",
        "a.0-0.tmp", "a.1-0", ".1-0.tmp", "1-0.tmp", "a.1 -0.tmp", ".tmp", ""}) {
    INFO(name);
    CHECK_FALSE(awaited_name(name));
  }
}

}  // namespace
}  // namespace attnlab
