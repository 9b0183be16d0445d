#include "experiments/run/observers.h"

#include "tests/support/catch.h"

namespace attnlab::run {
namespace {

/// Writes down who heard what.
struct Scribe : training::Observer {
  Scribe(std::string& text, std::string name) : text_(text), name_(std::move(name)) {}
  void started(int64_t first, int64_t last) override { note("started " + std::to_string(first + last)); }
  void stepped(const training::StepReport& step) override { note("step " + std::to_string(step.step)); }
  void validated(const training::ValidationReport& at) override { note("validation " + std::to_string(at.step)); }
  void warned(const std::string& message) override { note(message); }
  bool stop_requested() override { return stop; }

  bool stop = false;

 private:
  void note(const std::string& what) { text_ += name_ + " " + what + "\n"; }
  std::string& text_;
  std::string name_;
};

TEST_CASE("several observers hear the same, one after the other, and each can stop the training") {
  std::string heard;
  Scribe a(heard, "a"), b(heard, "b");
  Observers both({&a, &b});
  both.started(1, 4);
  both.stepped({.step = 2});
  both.validated({.step = 3});
  both.warned("slow");
  CHECK(heard == "a started 5\nb started 5\na step 2\nb step 2\na validation 3\nb validation 3\na slow\nb slow\n");
  CHECK_FALSE(both.stop_requested());
  b.stop = true;
  CHECK(both.stop_requested());
}

}  // namespace
}  // namespace attnlab::run
