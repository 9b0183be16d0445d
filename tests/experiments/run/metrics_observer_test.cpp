#include "experiments/run/metrics_observer.h"

#include <cmath>

#include "support/files.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::run {
namespace {

std::string log_of(const std::filesystem::path& folder) {
  return read_file(folder / "metrics.jsonl", "the log");
}

TEST_CASE("a step and a validation are a line each, written at once") {
  const tests::TemporaryFolder folder;
  MetricsObserver observer(folder.path());
  observer.started(3, 600);
  observer.stepped({3, 1, 2.5, 0.125, 0, 100, 0.5});
  const std::string step =
      "{\"step\":3,\"steps\":600,\"epoch\":1,\"loss\":2.5,\"learning_rate\":0.125,\"target_tokens\":100,"
      "\"tokens_per_second\":200.0}\n";
  CHECK(log_of(folder.path()) == step);
  observer.validated({3, 1.5, 4.5, NAN, true});
  CHECK(log_of(folder.path()) ==
        step + "{\"step\":3,\"steps\":600,\"valid_loss\":1.5,\"valid_perplexity\":4.5,\"best\":true}\n");
}

TEST_CASE("what was asked for is logged, and what is not finite is null or inf") {
  const tests::TemporaryFolder folder;
  MetricsObserver observer(folder.path());
  observer.started(1, 2);
  observer.stepped({1, 1, NAN, 0.5, INFINITY, 100, 0.5});
  observer.validated({1, 800, INFINITY, 12.5, false});
  CHECK(log_of(folder.path()) ==
        "{\"step\":1,\"steps\":2,\"epoch\":1,\"loss\":null,\"learning_rate\":0.5,\"gradient_norm\":null,"
        "\"target_tokens\":100,\"tokens_per_second\":200.0}\n"
        "{\"step\":1,\"steps\":2,\"valid_loss\":800.0,\"valid_perplexity\":\"inf\",\"valid_bleu\":12.5,"
        "\"best\":false}\n");
}

}  // namespace
}  // namespace attnlab::run
