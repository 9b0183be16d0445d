#pragma once
/// Checks that a call throws an Error of a kind, with words in its message.

#include <string>

#include "sacrebleu/error.h"
#include "tests/support/catch.h"

namespace sacrebleu {

template <class Call>
void expect_error(Call call, ErrorKind kind, const std::string& words) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    INFO(error.what());
    CHECK(std::string(error.what()).find(words) != std::string::npos);
    return;
  }
  FAIL("no error, expected one with: " + words);
}

}  // namespace sacrebleu
