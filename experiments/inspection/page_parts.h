#pragma once
/// The files of experiments/inspection/page/, put into the program by cmake/embed.cmake: pieces of text, ended by a
/// null pointer.

namespace attnlab::inspection::page_parts {

extern const char* const markup[];
extern const char* const style[];
extern const char* const script[];

}  // namespace attnlab::inspection::page_parts
