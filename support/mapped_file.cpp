#include "support/mapped_file.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/error.h"
#include "support/files.h"

namespace attnlab {

MappedFile::MappedFile(const std::filesystem::path& path, std::string_view what) {
  const int file = open_readable_file(path, what);
  struct stat status {};
  void* start = MAP_FAILED;
  if (::fstat(file, &status) == 0)
    start = ::mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_SHARED, file, 0);
  const int reason = errno;
  ::close(file);
  if (start == MAP_FAILED)
    throw Error(fmt::format("{}: cannot map '{}' into memory: {}; put it on another file system", what, path.string(),
                            std::strerror(reason)));
  bytes_ = {static_cast<const char*>(start), static_cast<size_t>(status.st_size)};
}

MappedFile::~MappedFile() {
  ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace attnlab
