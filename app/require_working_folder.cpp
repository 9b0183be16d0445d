// Ends the program with one line where its working folder is gone. LibTorch's oneMKL asks for that folder while it is
// loaded, before main, and would end the program with words of its own; what stands in .preinit_array runs before the
// start of any library.

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include <unistd.h>

#include "app/verbs.h"

namespace {

void require_working_folder(int, char**, char**) {
  char path[PATH_MAX];
  if (::getcwd(path, sizeof path) != nullptr) return;
  if (errno == ENOENT) {
    std::fputs("attnlab: the working folder is gone (it was deleted); change to one that is there\n", stderr);
  } else {
    std::fprintf(stderr, "attnlab: cannot tell the working folder: %s; change to another one\n", std::strerror(errno));
  }
  ::_exit(attnlab::app::usage_error);
}

}  // namespace

__attribute__((section(".preinit_array"),
               used)) void (*const attnlab_before_libraries)(int, char**, char**) = require_working_folder;
