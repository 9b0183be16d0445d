#include "experiments/decoding/workers.h"

#include <atomic>

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include "modules/parallel.h"

namespace attnlab::decoding {

void for_each_batch(int64_t count, Spread spread, const std::function<void(int64_t)>& work) {
  const int64_t threads = at::get_num_threads();
  if (spread == Spread::over_operators || count < 2 || threads < 2) {
    const c10::InferenceMode inference;
    for (int64_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<int64_t> next = 0;
  modules::parallel_for(0, threads, /*grain_size=*/1, [&](int64_t begin, int64_t end) {
    const c10::InferenceMode inference;  // a setting of the thread
    for (int64_t worker = begin; worker < end; ++worker) {
      for (int64_t i = next++; i < count; i = next++) work(i);
    }
  });
}

}  // namespace attnlab::decoding
