#include "support/number_text.h"

#include <cmath>
#include <limits>

#include "tests/support/catch.h"

namespace attnlab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_CASE("a number has its decimals, a huge one a power of ten, an infinite one a word") {
  CHECK(number_text(4.6789, 3) == "4.679");
  CHECK(number_text(-999999, 2) == "-999999.00");
  CHECK(number_text(1e6, 3) == "1.00e+06");
  CHECK(number_text(std::exp(78.0), 3) == "7.50e+33");
  CHECK(number_text(std::exp(710.0), 3) == "inf");
  CHECK(number_text(std::nan(""), 3) == "nan");
}

TEST_CASE("numbers that JSON does not know come back from it") {
  CHECK(json_number(2.5).dump() == "2.5");
  CHECK(json_number(kInfinity).dump() == "\"inf\"");
  CHECK(json_number(-kInfinity).dump() == "\"-inf\"");
  CHECK(json_number(std::nan("")).dump() == "null");
  for (const double value : {2.5, kInfinity, -kInfinity}) CHECK(number_from_json(json_number(value)) == value);
  CHECK(std::isnan(number_from_json(nullptr)));
  CHECK_THROWS(number_from_json("many"));
}

TEST_CASE("what is not finite, and what is not there, is null") {
  CHECK(finite_or_null(2.5).dump() == "2.5");
  CHECK(finite_or_null(kInfinity).is_null());
  CHECK(finite_or_null(-kInfinity).is_null());
  CHECK(finite_or_null(std::nan("")).is_null());
  CHECK(finite_or_null(std::nullopt).is_null());
}

}  // namespace
}  // namespace attnlab
