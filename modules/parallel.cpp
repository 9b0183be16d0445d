#include "modules/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>

#include <ATen/Parallel.h>
#include <c10/util/ParallelGuard.h>
#include <dlfcn.h>

namespace attnlab::modules {

namespace {

// libgomp's interface to compilers; LLVM's libomp has it, too. Null where torch uses no OpenMP.
struct OpenMp {
  void (*parallel)(void (*body)(void*), void* data, unsigned threads, unsigned flags);
  int (*thread)();
  int (*threads)();

  bool found() const { return parallel != nullptr && thread != nullptr && threads != nullptr; }
};

template <class Function>
Function find(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

const OpenMp& open_mp() {
  static const OpenMp library = {find<decltype(OpenMp::parallel)>("GOMP_parallel"),
                                 find<decltype(OpenMp::thread)>("omp_get_thread_num"),
                                 find<decltype(OpenMp::threads)>("omp_get_num_threads")};
  return library;
}

// One loop, as all threads see it.
struct Loop {
  int64_t begin, end, grain;
  c10::function_ref<void(int64_t, int64_t)> body;
  std::atomic_flag failed = ATOMIC_FLAG_INIT;
  std::exception_ptr exception = nullptr;

  void run_part(int64_t thread, int64_t threads) {
    const int64_t parts = std::clamp<int64_t>((end - begin) / grain, 1, threads);
    const int64_t size = (end - begin + parts - 1) / parts, first = begin + thread * size;
    if (first >= end) {
      return;
    }
    try {
      const at::internal::ThreadIdGuard thread_guard(static_cast<int>(thread));
      const c10::ParallelGuard parallel_guard(true);
      body(first, std::min(end, first + size));
    } catch (...) {
      if (!failed.test_and_set()) {
        exception = std::current_exception();
      }
    }
  }
};

void run_on_this_thread(void* data) {
  static_cast<Loop*>(data)->run_part(open_mp().thread(), open_mp().threads());
}

}  // namespace

void parallel_for(int64_t begin, int64_t end, int64_t grain, c10::function_ref<void(int64_t, int64_t)> body) {
  if (begin >= end) {
    return;
  }
  grain = std::max<int64_t>(grain, 1);
  if (end - begin < 2 * grain || at::get_num_threads() < 2 || at::in_parallel_region() || !open_mp().found()) {
    body(begin, end);
    return;
  }
  Loop loop{begin, end, grain, body};
  open_mp().parallel(run_on_this_thread, &loop, /*threads=*/0, /*flags=*/0);
  if (loop.exception) {
    std::rethrow_exception(loop.exception);
  }
}

}  // namespace attnlab::modules
