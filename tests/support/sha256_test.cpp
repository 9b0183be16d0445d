#include "support/sha256.h"

#include "tests/support/catch.h"

namespace attnlab {
namespace {

// The examples of FIPS 180-4 (NIST, "SHA-256 Example Values") and its long message.
TEST_CASE("SHA-256 gives the published digests") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_hex(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("a digest does not depend on how the bytes arrive") {
  const std::string bytes(300, 'q');
  for (const size_t step : {1, 63, 64, 65, 299}) {
    Sha256 digest;
    for (size_t start = 0; start < bytes.size(); start += step)
      digest.update(std::string_view(bytes).substr(start, step));
    CHECK(digest.hex() == sha256_hex(bytes));
  }
}

}  // namespace
}  // namespace attnlab
