// Loops on torch's threads: that there are several, that every index is visited once, and what happens to exceptions.

#include "modules/parallel.h"

#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <ATen/Parallel.h>

#include "tests/support/catch.h"

using namespace attnlab::modules;

namespace {

class Threads {
 public:
  explicit Threads(int count) : before_(at::get_num_threads()) { at::set_num_threads(count); }
  ~Threads() { at::set_num_threads(before_); }

 private:
  int before_;
};

std::set<std::thread::id> threads_of(int64_t count, int64_t grain) {
  std::mutex mutex;
  std::set<std::thread::id> ids;
  parallel_for(0, count, grain, [&](int64_t, int64_t) {
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  return ids;
}

}  // namespace

TEST_CASE("A loop runs on as many threads as torch has, and never with less than its grain each") {
  const Threads three(3);
  CHECK(threads_of(300, 1).size() == 3);
  CHECK(threads_of(3, 1).size() == 3);
  CHECK(threads_of(2, 1).size() == 2);
  CHECK(threads_of(300, 100).size() == 3);
  CHECK(threads_of(300, 150).size() == 2);
  CHECK(threads_of(300, 151).size() == 1);
  const Threads one(1);
  CHECK(threads_of(300, 1) == std::set{std::this_thread::get_id()});
}

TEST_CASE("Every index is visited once, whatever the grain") {
  const Threads three(3);
  for (const int64_t count : {0, 1, 2, 5, 100}) {
    for (const int64_t grain : {0, 1, 7, 1000}) {
      std::vector<int> visits(static_cast<size_t>(count) + 3, 0);
      parallel_for(3, count + 3, grain, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) ++visits[static_cast<size_t>(i)];
      });
      for (int64_t i = 0; i < count + 3; ++i) CHECK(visits[static_cast<size_t>(i)] == (i < 3 ? 0 : 1));
    }
  }
}

TEST_CASE("Inside of a loop there is one thread") {
  const Threads three(3);
  std::mutex mutex;
  parallel_for(0, 3, 1, [&](int64_t, int64_t) {
    const auto inner = threads_of(100, 1);
    const std::lock_guard lock(mutex);
    CHECK(inner == std::set{std::this_thread::get_id()});
  });
  CHECK_FALSE(at::in_parallel_region());
}

TEST_CASE("An exception of a thread reaches the caller") {
  const Threads three(3);
  const auto failing = [](int64_t first, int64_t) {
    if (first > 0) throw std::runtime_error("the second part");
  };
  CHECK_THROWS_WITH(parallel_for(0, 3, 1, failing), "the second part");
  CHECK(threads_of(3, 1).size() == 3);
}
