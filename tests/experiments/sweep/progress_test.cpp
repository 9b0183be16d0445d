#include "experiments/sweep/progress.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace attnlab::sweep {
namespace {

RunStatus make_run(const std::string& variant, run_folder::Status status, int64_t step) {
  RunStatus run;
  run.variant = variant;
  run.seed = 1;
  run.status = status;
  run.progress.step = step;
  run.progress.steps = 600;
  return run;
}

SweepView make_view() {
  SweepView view;
  view.runs = {make_run("heads=1", run_folder::Status::completed, 600),
               make_run("heads=2", run_folder::Status::running, 300),
               make_run("heads=4", run_folder::Status::running, 0), make_run("heads=8", run_folder::Status::queued, 0)};
  view.runs[1].progress.loss = 2.34567;
  view.runs[1].progress.tokens_per_second = 12345.6;
  view.runs[1].seconds = 41;
  view.elapsed_seconds = 90;
  return view;
}

TEST_CASE("Durations read as people write them", "[sweep]") {
  CHECK(format_duration(7) == "0:07");
  CHECK(format_duration(750.4) == "12:30");
  CHECK(format_duration(3723) == "1:02:03");
  CHECK(format_duration(-1) == "0:00");
}

TEST_CASE("The time left follows from the steps of this start", "[sweep]") {
  auto view = make_view();
  CHECK(seconds_left(view) == Approx(90.0 * (300 + 600 + 600) / 900));
  view.steps_before = 600;  // the first run was done before: 90 s for 300 steps
  CHECK(seconds_left(view) == Approx(90.0 * 1500 / 300));
  view.steps_before = 900;
  CHECK(seconds_left(view) < 0);
  view.steps_before = 0;
  view.elapsed_seconds = 1;
  CHECK(seconds_left(view) < 0);
}

TEST_CASE("The live view has a line for the sweep and one for each running run", "[sweep]") {
  ProgressStyle style;
  style.width = 100;
  CHECK(render_live(make_view(), style) ==
        "1 of 4 completed, 2 running, 1 waiting   1:30, about 2:30 left\n"
        "  heads=2 seed=1 ██████░░░░░░ 300/600  loss 2.346  12,346 tokens/s\n"
        "  heads=4 seed=1 ░░░░░░░░░░░░ getting ready\n");
  style.height = 4;
  CHECK(render_live(make_view(), style) ==
        "1 of 4 completed, 2 running, 1 waiting   1:30, about 2:30 left\n"
        "  heads=2 seed=1 ██████░░░░░░ 300/600  loss 2.346  12,346 tokens/s\n"
        "  and 1 more\n");
  style.width = 20;
  CHECK(render_live(make_view(), style).substr(0, 21) == "1 of 4 completed, 2 \n");
}

TEST_CASE("Long names lose their middle: hash and seed stay", "[sweep]") {
  SweepView view;
  for (const char* hash : {"0123abcd", "4567abcd"})
    view.runs.push_back(make_run("a-long-name-of-a-variant-" + std::string(hash), run_folder::Status::running, 0));
  ProgressStyle style;
  style.width = 60;
  const std::string text = render_live(view, style);
  CHECK(text.find("  a-long-name-of…0123abcd seed=1 ░") != std::string::npos);
  CHECK(text.find("  a-long-name-of…4567abcd seed=1 ░") != std::string::npos);
}

TEST_CASE("A huge loss is short", "[sweep]") {
  auto run = make_run("heads=2", run_folder::Status::diverged, 30);
  run.progress.loss = 6.4516e33;
  CHECK(render_status({run}, ProgressStyle{}).find("loss 6.45e+33") != std::string::npos);
}

TEST_CASE("A new view takes the place of the old one", "[sweep]") {
  CHECK(redraw("", "a\nb\n") == "a\nb\n");
  CHECK(redraw("a\nb\n", "c\n") == "\x1b[2A\r\x1b[Jc\n");
  CHECK(redraw("c\n", "") == "\x1b[1A\r\x1b[J");
}

TEST_CASE("Elsewhere the state is one plain line", "[sweep]") {
  CHECK(render_plain(make_view()) ==
        "1 of 4 completed, 2 running, 1 waiting   1:30, about 2:30 left; heads=2 seed=1: 300/600  loss 2.346  12,346 "
        "tokens/s; heads=4 seed=1: getting ready\n");
}

TEST_CASE("Events are a line, with the reason below, and colours only where wanted", "[sweep]") {
  auto run = make_run("heads=2", run_folder::Status::failed, 30);
  run.seconds = 12;
  run.error = "ended by SIGKILL; its log ends with:\nstep 30";
  ProgressStyle style;
  CHECK(render_event(run, style) ==
        "failed      heads=2 seed=1  (0:12)\n    ended by SIGKILL; its log ends with:\n    step 30\n");
  CHECK(render_event(run, style).find('\x1b') == std::string::npos);
  style.color = Color::on;
  CHECK(render_event(run, style).substr(0, 20) == "\x1b[31mfailed     \x1b[0m");
  run.status = run_folder::Status::running;
  run.error.clear();
  run.threads = 1;
  style.color = Color::off;
  CHECK(render_event(run, style) == "started     heads=2 seed=1  (1 thread)\n");
}

TEST_CASE("The status table has a line a run and the counts", "[sweep]") {
  auto view = make_view();
  view.runs[3].status = run_folder::Status::failed;
  view.runs[3].error = "out of memory\nmore in the log";
  CHECK(render_status(view.runs, ProgressStyle{}) ==
        "heads=1 seed=1  completed    600/600 steps\n"
        "heads=2 seed=1  running      300/600 steps  loss 2.346  0:41\n"
        "heads=4 seed=1  running\n"
        "heads=8 seed=1  failed         out of memory\n"
        "1 of 4 completed, 2 running, 1 failed\n");
}

TEST_CASE("Progress is read from the end of the log", "[sweep]") {
  const tests::TemporaryFolder folder;
  CHECK(read_progress(folder.path()).step == 0);
  std::string log;
  for (int step = 1; step <= 500; ++step)
    log += "{\"step\":" + std::to_string(step) + ",\"steps\":600,\"loss\":1.5,\"tokens_per_second\":100.0}\n";
  log += "{\"step\":500,\"steps\":600,\"valid_loss\":1.25,\"best\":true}\n{\"step\":501,\"ste";
  folder.write("metrics.jsonl", log);
  const auto progress = read_progress(folder.path());
  CHECK(progress.step == 500);
  CHECK(progress.steps == 600);
  CHECK(progress.loss == 1.5);
  CHECK(progress.tokens_per_second == 100);
}

}  // namespace
}  // namespace attnlab::sweep
