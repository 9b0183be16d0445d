#include "support/edit_distance.h"

#include <string>

#include "tests/support/catch.h"

namespace attnlab {
namespace {

TEST_CASE("The distance counts bytes inserted, removed and replaced") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);  // k -> s, e -> i, + g
  CHECK(edit_distance("sitting", "kitten") == 3);
  CHECK(edit_distance("flaw", "lawn") == 2);  // - f, + n
  CHECK(edit_distance("heads", "haeds") == 2);
}

}  // namespace
}  // namespace attnlab
