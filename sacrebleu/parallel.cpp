#include "sacrebleu/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace sacrebleu {

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t workers = std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), count);
  if (workers <= 1) {
    if (count > 0) work(0, count);
    return;
  }
  // Many more blocks than threads, because the cost of a line varies a lot (TER).
  const std::size_t block = std::max<std::size_t>(1, std::min<std::size_t>(count / (workers * 16), 1024));
  const std::size_t blocks = (count + block - 1) / block;
  std::vector<std::exception_ptr> errors(blocks);
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t b = next++; b < blocks; b = next++) {
      try {
        work(b * block, std::min(count, (b + 1) * block));
      } catch (...) {
        errors[b] = std::current_exception();
      }
    }
  };
  std::vector<std::jthread> pool;
  for (std::size_t i = 1; i < workers; ++i) pool.emplace_back(run);
  run();
  pool.clear();
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace sacrebleu
