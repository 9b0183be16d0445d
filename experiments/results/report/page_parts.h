#pragma once
/// The files of experiments/results/report/page/, put into the program by cmake/embed.cmake: pieces of text, ended by a
/// null pointer.

namespace attnlab::results::report::page_parts {

extern const char* const style[];
extern const char* const script[];

}  // namespace attnlab::results::report::page_parts
