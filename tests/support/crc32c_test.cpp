#include "support/crc32c.h"

#include <string>

#include "tests/support/catch.h"

namespace attnlab {
namespace {

TEST_CASE("CRC-32C of RFC 3720's examples", "[support]") {
  CHECK(crc32c("") == 0);
  CHECK(crc32c("123456789") == 0xE3069283);
  CHECK(crc32c(std::string(32, '\0')) == 0x8A9136AA);
  CHECK(crc32c(std::string(32, '\xFF')) == 0x62A8AB43);
}

}  // namespace
}  // namespace attnlab
