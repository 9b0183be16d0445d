#pragma once
/// Catch2 2 (Debian 12) and 3 (Debian 13, Ubuntu 24.04) under one name; test files include this and nothing else of
/// Catch2.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
#endif
