#include "experiments/page/frame.h"

#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::page {
namespace {

using tests::mentions;

TEST_CASE("Base64 of RFC 4648's examples") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string("\xff\xfe\x00", 3)) == "//4A");
}

TEST_CASE("A page names its one script and its one style by their hashes") {
  const std::string text = head("a <b>", "p{}", "1;") + tail("{}", "1;");
  // openssl dgst -sha256 -binary | base64
  CHECK(mentions(text, "default-src 'none'", "script-src 'sha256-CImjRDTlhukYQ2AnxOi0wzgPhGQ3Mb3rVwJK24dFz1M='",
                 "style-src 'sha256-", "<title>a &lt;b&gt;</title>", "<style>p{}</style>", "<script>1;</script>"));
}

TEST_CASE("Parts are joined, and scripts kept from the global scope") {
  const char* const parts[] = {"a();", "b();\n", nullptr};
  CHECK(joined(parts) == "a();b();\n");
  CHECK(closed_script(parts) == "(() => {\n'use strict';\na();b();\n})();\n");
}

}  // namespace
}  // namespace attnlab::page
