# Every outside library, with the message that says what to install when it is missing (environment.md has the whole list).

find_package(Threads REQUIRED)

macro(attnlab_require name hint)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "attnlab needs ${name}: install ${hint} (Debian/Ubuntu), or run ./dev setup. environment.md lists all.")
  endif()
endmacro()

attnlab_require(LibTorch "LibTorch 2.7-2.14: pass -DLIBTORCH_DIR=/path/to/libtorch")
if(ATTNLAB_STEPS_ONLY)
  add_library(fmt::fmt INTERFACE IMPORTED)  # torch brings its own
  target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
  target_link_libraries(fmt::fmt INTERFACE LibTorch::LibTorch)
  return()
endif()

attnlab_require(nlohmann_json nlohmann-json3-dev 3.10)
attnlab_require(fmt libfmt-dev)
attnlab_require(CLI11 libcli11-dev)
attnlab_require(ZLIB zlib1g-dev)
attnlab_require(ICU libicu-dev COMPONENTS uc i18n data)

find_path(SENTENCEPIECE_INCLUDE_DIR sentencepiece_processor.h)
find_library(SENTENCEPIECE_LIBRARY sentencepiece)
find_library(SENTENCEPIECE_TRAIN_LIBRARY sentencepiece_train)
if(NOT SENTENCEPIECE_INCLUDE_DIR OR NOT SENTENCEPIECE_LIBRARY OR NOT SENTENCEPIECE_TRAIN_LIBRARY)
  message(FATAL_ERROR "attnlab needs SentencePiece: install libsentencepiece-dev (Debian/Ubuntu), or run ./dev setup.")
endif()
add_library(attnlab_sentencepiece INTERFACE)
target_include_directories(attnlab_sentencepiece SYSTEM INTERFACE ${SENTENCEPIECE_INCLUDE_DIR})
target_link_libraries(attnlab_sentencepiece INTERFACE ${SENTENCEPIECE_LIBRARY} ${SENTENCEPIECE_TRAIN_LIBRARY})

if(ATTNLAB_TESTS)
  attnlab_require(Catch2 catch2)
  add_library(attnlab_catch2 INTERFACE)
  target_link_libraries(attnlab_catch2 INTERFACE Catch2::Catch2)
endif()
if(ATTNLAB_BENCHMARKS)
  attnlab_require(benchmark libbenchmark-dev)
endif()
