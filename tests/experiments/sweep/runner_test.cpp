#include "experiments/sweep/runner.h"

#include <csignal>
#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

#include "experiments/run_folder/lock.h"
#include "support/error.h"
#include "support/files.h"
#include "tests/experiments/sweep/sweep_fixture.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"

namespace attnlab::sweep {
namespace {

namespace fs = std::filesystem;
using tests::error_message;
using tests::mentions;

TEST_CASE("A failing run harms no other and tells its own reason", "[sweep]") {
  FakeSweep sweep(
      {"complete", "exit 1", "segv", "kill", "diverge", "complete", "failed record", "silent", "crash after"});
  sweep.options.jobs = 3;
  const auto result = sweep.run();
  CHECK(result.completed == 2);
  CHECK(result.diverged == 1);
  CHECK(result.failed == 6);
  CHECK(result.failures == 7);  // diverged ones count by default
  CHECK_FALSE(result.stopped_by_person);

  CHECK(sweep.record(0).status == run_folder::Status::completed);
  CHECK(sweep.record(0).exit_code == 0);
  CHECK(sweep.record(5).status == run_folder::Status::completed);
  CHECK(sweep.record(1).exit_code == 1);
  CHECK(mentions(sweep.record(1).error, "exit code 1"));
  CHECK(mentions(sweep.record(1).error, "data.dir: no such folder 'nowhere'"));
  CHECK(mentions(read_file(sweep.path(1) / "train.log", "log"), "no such folder 'nowhere'"));
  CHECK(sweep.record(2).signal == SIGSEGV);
  CHECK(sweep.record(2).seconds > 0);
  CHECK(mentions(sweep.record(2).error, "SIGSEGV"));
  CHECK(sweep.record(3).signal == SIGKILL);
  CHECK(mentions(sweep.record(3).error, "memory"));
  CHECK(sweep.record(4).status == run_folder::Status::diverged);
  CHECK(sweep.record(6).error == "out of memory: make training.batch_tokens smaller");
  CHECK(mentions(sweep.record(7).error, "without a result"));
  CHECK(sweep.record(8).status == run_folder::Status::failed);
  CHECK(sweep.observer.statuses.at("heads=5").status == run_folder::Status::diverged);

  SECTION("a diverged run is a result where the spec says so") {
    sweep.behave(
        {"complete", "complete", "complete", "complete", "diverge", "complete", "complete", "complete", "complete"});
    sweep.options.sweep.on_divergence = spec::OnDivergence::record;
    CHECK(sweep.run().failures == 0);
  }
}

TEST_CASE("A run that someone else stops is interrupted, and says so", "[sweep]") {
  FakeSweep sweep({"stopped by another", "complete"});
  const auto result = sweep.run();
  CHECK(result.completed == 1);
  CHECK(result.interrupted == 1);
  CHECK(result.failures == 0);
  CHECK_FALSE(result.stopped_by_person);
  CHECK(mentions(sweep.record(0).error, "not by this sweep", "continues it"));
}

TEST_CASE("Starting again does only what is not done", "[sweep]") {
  FakeSweep sweep({"complete", "exit 1", "diverge", "kill"});
  sweep.run();
  sweep.behave({"exit 1", "complete", "exit 1", "complete"});
  const auto result = sweep.run();
  CHECK(result.completed == 3);
  CHECK(result.diverged == 1);
  CHECK(result.done_before == 2);
  CHECK(sweep.record(1).error.empty());
  CHECK_FALSE(sweep.record(3).signal.has_value());
  const std::vector<int> starts = {1, 2, 1, 2};
  for (size_t i = 0; i < starts.size(); ++i) CHECK(starts_of(sweep.path(i)) == starts[i]);
}

TEST_CASE("The plan is on disk before anything starts", "[sweep]") {
  FakeSweep sweep({"complete", "complete"});
  sweep.options.command = [&](const fs::path& config, const fs::path&) {
    CHECK(fs::exists(sweep.options.out / "spec.json"));
    CHECK(read_manifest(sweep.options.out).runs.size() == 2);
    CHECK(fs::exists(sweep.path(0) / "config.json"));
    CHECK(fs::exists(sweep.path(1) / "config.json"));
    return std::vector<std::string>{"/bin/false", config.string()};
  };
  sweep.run();
  const auto config = read_json(sweep.path(1) / "config.json", "config");
  CHECK(config["model"]["heads"] == 2);
  const auto manifest = read_manifest(sweep.options.out);
  CHECK(manifest.name == "fake");
  CHECK(manifest.metric == "test.bleu");
  CHECK(manifest.baseline["model.heads"] == 1);
  CHECK(manifest.runs[1].factors["model.heads"] == 2);
  CHECK(manifest.runs[1].hash == "00000002");
  CHECK(manifest.runs[1].steps == 100);
  CHECK(sweep.record(1).variant == "heads=2");
  CHECK(sweep.record(1).hash == "00000002");
}

TEST_CASE("A changed spec adds runs and overwrites nothing", "[sweep]") {
  FakeSweep sweep({"complete", "complete", "complete"});
  const auto all = sweep.plan;
  sweep.plan = {all[0], all[1]};
  sweep.run();
  sweep.plan = {all[1], all[2]};
  sweep.options.sweep.document["name"] = "changed";
  const auto result = sweep.run();
  CHECK(result.completed == 2);
  CHECK(result.done_before == 1);
  CHECK(read_json(sweep.options.out / "spec.json", "spec")["name"] == "changed");
  CHECK(read_json(sweep.options.out / "spec.1.json", "spec")["name"] == "fake");
  const auto runs = read_manifest(sweep.options.out).runs;
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].current);
  CHECK(runs[1].current);
  CHECK(runs[2].variant == "heads=1");
  CHECK_FALSE(runs[2].current);
  CHECK(fs::exists(sweep.options.out / "runs" / runs[2].folder / "run.json"));
  CHECK(collect_status(sweep.options.out).size() == 2);
}

TEST_CASE("A spec.json and a .lock of somebody else stay as they are", "[sweep]") {
  FakeSweep sweep({"complete"});
  fs::create_directories(sweep.options.out);
  const fs::path spec = sweep.options.out / "spec.json", lock = sweep.options.out / ".lock";
  SECTION("another spec") {
    write_file_atomically(spec, R"({"openapi": "3.1.0"})");
    CHECK(mentions(error_message([&] { sweep.run(); }), "spec.json'", "attnlab did not write"));
    CHECK(read_file(spec, "it") == R"({"openapi": "3.1.0"})");
    CHECK_FALSE(fs::exists(sweep.options.out / "runs"));
  }
  SECTION("the spec itself, as a person wrote it") {
    write_file_atomically(spec, "{ \"name\":\n\"fake\" }");
    CHECK(sweep.run().completed == 1);
    CHECK(read_file(spec, "it") == "{ \"name\":\n\"fake\" }");
  }
  SECTION("a lock") {
    write_file_atomically(lock, "12 monkeys\n");
    CHECK(mentions(error_message([&] { sweep.run(); }), ".lock'", "no lock of attnlab"));
    CHECK(read_file(lock, "it") == "12 monkeys\n");
  }
}

TEST_CASE("Cells whose names are the same are told apart by their hashes", "[sweep]") {
  FakeSweep sweep({"complete", "complete", "complete"});
  for (const size_t i : {0, 1}) {
    sweep.plan[i].variant = "a-b";
    sweep.plan[i].folder = "a-b-" + sweep.plan[i].variant_hash + "/seed=1";
  }
  sweep.behave({"complete", "complete", "complete"});
  sweep.run();
  CHECK(sweep.observer.started == std::vector<std::string>{"a-b-00000001", "a-b-00000002", "heads=3"});
  CHECK(sweep.observer.statuses.count("a-b-00000002") == 1);
  CHECK(sweep.record(0).variant == "a-b");
  const auto rows = collect_status(sweep.options.out);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].variant == "a-b-00000001");
  CHECK(rows[1].variant == "a-b-00000002");
  CHECK(rows[2].variant == "heads=3");
}

TEST_CASE("Nothing starts if the plan cannot work", "[sweep]") {
  FakeSweep sweep({"complete", "complete"});
  SECTION("problems of a run") {
    sweep.plan[1].problems = {"model.heads: 3 does not divide model.d_model 128"};
    const auto message = error_message([&] { sweep.run(); });
    CHECK(mentions(message, "1 of 2 planned runs"));
    CHECK(mentions(message, "model.heads: 3 does not divide"));
    CHECK_FALSE(fs::exists(sweep.options.out));
  }
  SECTION("no run at all") {
    sweep.plan.clear();
    CHECK(mentions(error_message([&] { sweep.run(); }), "plans no run"));
  }
  SECTION("the same run twice") {
    sweep.plan[1] = sweep.plan[0];
    CHECK(mentions(error_message([&] { sweep.run(); }), "are the same one"));
  }
  SECTION("a configuration that was changed by hand") {
    sweep.run();
    auto config = read_json(sweep.path(0) / "config.json", "config");
    config["model"]["heads"] = 16;
    write_file_atomically(sweep.path(0) / "config.json", config.dump());
    CHECK(mentions(error_message([&] { sweep.run(); }), "config.json", "model.heads: 16 there"));
  }
  SECTION("a configuration from before a key was there is none that was changed") {
    sweep.run();
    auto config = read_json(sweep.path(0) / "config.json", "config");
    config["inspection"].erase("analyse");
    write_file_atomically(sweep.path(0) / "config.json", config.dump());
    CHECK(sweep.run().done_before == 2);
  }
  SECTION("a damaged record") {
    sweep.run();
    write_file_atomically(sweep.path(0) / "run.json", "{\"status\": \"compl");
    CHECK(mentions(error_message([&] { sweep.run(); }), "run.json"));
  }
  SECTION("a folder that cannot be made") {
    std::ofstream(sweep.options.out) << "a file";
    CHECK(mentions(error_message([&] { sweep.run(); }), "cannot make the folder"));
  }
}

TEST_CASE("A program that is not there fails its runs, not the sweep", "[sweep]") {
  FakeSweep sweep({"complete", "complete"});
  const auto usual = sweep.options.command;
  sweep.options.command = [&](const fs::path& config, const fs::path& run) {
    return run == sweep.path(0) ? std::vector<std::string>{"/nowhere/attnlab"} : usual(config, run);
  };
  const auto result = sweep.run();
  CHECK(result.failed == 1);
  CHECK(result.completed == 1);
  CHECK(mentions(sweep.record(0).error, "/nowhere/attnlab"));
}

TEST_CASE("Threads are divided, and stay for a run that goes on", "[sweep]") {
  FakeSweep sweep({"exit 1", "complete"});
  sweep.options.jobs = 2;
  sweep.run();
  CHECK(sweep.record(0).threads == 2);
  sweep.behave({"complete", "complete"});
  sweep.options.jobs = 1;  // alone it would get all four
  sweep.run();
  CHECK(sweep.record(0).threads == 2);
  CHECK(mentions(read_file(sweep.path(0) / "train.log", "log"), "complete with OMP_NUM_THREADS=2 MKL_NUM_THREADS=2"));
}

TEST_CASE("Threads that wait soon sleep, unless the person says how long", "[sweep]") {
  const auto told = [] {
    FakeSweep sweep({"complete"});
    sweep.run();
    return read_file(sweep.path(0) / "train.log", "log");
  };
  ::unsetenv("GOMP_SPINCOUNT");
  ::unsetenv("OMP_WAIT_POLICY");
  CHECK(mentions(told(), "GOMP_SPINCOUNT=10000"));
  ::setenv("GOMP_SPINCOUNT", "7", /*overwrite=*/1);
  CHECK(mentions(told(), "GOMP_SPINCOUNT=7"));
  ::unsetenv("GOMP_SPINCOUNT");
}

TEST_CASE("Jobs run at once, never more than asked", "[sweep]") {
  FakeSweep sweep({"wait", "wait", "wait"});
  sweep.options.jobs = 2;
  sweep.options.stop_requests = [&] {
    return fs::exists(sweep.path(0) / "ready") && fs::exists(sweep.path(1) / "ready") ? 1 : 0;
  };
  const auto result = sweep.run();
  CHECK(sweep.observer.started == std::vector<std::string>{"heads=1", "heads=2"});
  CHECK(result.interrupted == 2);
  CHECK(result.queued == 1);
  CHECK(result.stopped_by_person);
}

TEST_CASE("The first Ctrl-C lets runs end by themselves, the second kills them", "[sweep]") {
  FakeSweep sweep({"wait", "complete"});
  const auto ready = [&] { return fs::exists(sweep.path(0) / "ready"); };
  SECTION("once") {
    sweep.options.stop_requests = [&] { return ready() ? 1 : 0; };
    const auto result = sweep.run();
    CHECK(result.interrupted == 1);
    CHECK(result.failures == 0);
    CHECK(sweep.record(0).status == run_folder::Status::interrupted);
    CHECK(sweep.record(0).exit_code == 130);
  }
  SECTION("twice") {
    sweep.behave({"stubborn", "complete"});
    int asked = 0;
    sweep.options.stop_requests = [&] { return ready() ? ++asked : 0; };
    sweep.run();
    CHECK(sweep.record(0).status == run_folder::Status::interrupted);
    CHECK(sweep.record(0).signal.has_value());
  }
  CHECK(sweep.record(1).status == run_folder::Status::queued);
  sweep.options.stop_requests = nullptr;
  sweep.behave({"complete", "complete"});
  CHECK(sweep.run().completed == 2);
}

TEST_CASE("With OnFailure::stop a failure interrupts the others", "[sweep]") {
  FakeSweep sweep({"wait", "exit 1", "complete"});
  sweep.options.jobs = 2;
  sweep.options.on_failure = OnFailure::stop;
  const auto result = sweep.run();
  CHECK(result.failed == 1);
  CHECK(result.interrupted == 1);
  CHECK(result.queued == 1);
  CHECK_FALSE(result.stopped_by_person);
}

TEST_CASE("The observer sees the progress of running runs", "[sweep]") {
  FakeSweep sweep({"complete", "wait"});
  struct Watcher : RunnerObserver {
    void progressed(const SweepView& view) override {
      if (view.runs[1].progress.step == 7) last = view.runs[1];
    }
    RunStatus last;
  } watcher;
  sweep.options.stop_requests = [&] { return watcher.last.progress.step == 7 ? 1 : 0; };
  run_sweep(sweep.plan, sweep.options, watcher);
  CHECK(watcher.last.progress.steps == 100);
  CHECK(watcher.last.progress.loss == 2.5);
  CHECK(watcher.last.progress.tokens_per_second == 1234);
}

volatile std::sig_atomic_t interrupts = 0;

void count_interrupt(int) {
  interrupts = interrupts + 1;
}

/// The sweep in a process of its own, as the program runs it. Gives its id.
pid_t fork_sweep(FakeSweep& sweep) {
  const pid_t id = ::fork();
  if (id != 0) return id;
  std::signal(SIGINT, count_interrupt);
  sweep.options.stop_requests = [] { return static_cast<int>(interrupts); };
  int code = 1;
  try {
    code = sweep.run().stopped_by_person ? 130 : 0;
  } catch (const Error&) {
    code = 2;
  }
  ::_exit(code);
}

int exit_code_of(pid_t process) {
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("A sweep that is interrupted by a signal continues later, and keeps others out meanwhile", "[sweep]") {
  FakeSweep sweep({"wait", "complete"});
  const pid_t process = fork_sweep(sweep);
  REQUIRE(wait_for([&] { return fs::exists(sweep.path(0) / "ready"); }));

  CHECK(run_folder::is_locked(sweep.options.out));
  CHECK(collect_status(sweep.options.out)[0].status == run_folder::Status::running);
  const auto message = error_message([&] { sweep.run(); });
  CHECK(mentions(message, "in use by another attnlab (process " + std::to_string(process) + ")"));

  ::kill(process, SIGINT);
  CHECK(exit_code_of(process) == 130);
  CHECK(sweep.record(0).status == run_folder::Status::interrupted);
  CHECK_FALSE(run_folder::is_locked(sweep.options.out));

  sweep.behave({"complete", "complete"});
  CHECK(sweep.run().completed == 2);
}

TEST_CASE("Runs of a sweep that was killed end too, and keep the folder locked until then", "[sweep]") {
  FakeSweep sweep({"wait"});
  const pid_t process = fork_sweep(sweep);
  REQUIRE(wait_for([&] { return fs::exists(sweep.path(0) / "ready"); }));
  ::kill(process, SIGKILL);
  CHECK(exit_code_of(process) == -1);
  CHECK(wait_for([&] { return !run_folder::is_locked(sweep.options.out); }));
  CHECK(sweep.record(0).status == run_folder::Status::interrupted);  // by the run itself, on SIGTERM

  sweep.behave({"complete"});
  CHECK(sweep.run().completed == 1);
}

TEST_CASE("A record that says running without a process is shown as interrupted and continued", "[sweep]") {
  FakeSweep sweep({"complete"});
  sweep.run();
  auto record = sweep.record(0);
  record.status = run_folder::Status::running;
  run_folder::write_record(sweep.path(0), record);
  CHECK(collect_status(sweep.options.out)[0].status == run_folder::Status::interrupted);
  CHECK(sweep.run().completed == 1);
  CHECK(starts_of(sweep.path(0)) == 2);
}

}  // namespace
}  // namespace attnlab::sweep
