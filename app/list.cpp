// attnlab list: every variant that a spec can name, with a line of explanation; of one topic, all that is known.

#include <algorithm>

#include <ATen/Context.h>
#include <ATen/Version.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/version.h>

#include "app/verbs.h"
#include "experiments/spec/topics.h"
#include "experiments/spec/variants.h"
#include "modules/torch.h"
#include "support/error.h"

namespace attnlab::app {

namespace {

using spec::Entry;
using spec::Topic;

std::string gpus() {
  const auto count = torch::cuda::device_count();
  if (count > 0)
    return fmt::format("{} GPU{}: training.device cuda, or cuda:0 to cuda:{}", count, count > 1 ? "s" : "", count - 1);
  return at::hasCUDA() ? "this build can use GPUs, but finds none" : "this build has no CUDA";
}

std::vector<Entry> build() {
  return {{"libtorch", TORCH_VERSION, "", {}, {}},
          {"cpu", "vectors: " + at::get_cpu_capability(), "", {"training.device"}, {}},
          {"cuda", gpus(), "", {"training.device"}, {}},
          {"mkl", at::hasMKL() ? "matrix products by MKL" : "none: matrix products by another BLAS", "", {}, {}}};
}

std::vector<Topic> all_topics() {
  std::vector<Topic> all = spec::topics();
  all.push_back({"build", "what this program was built with, and the devices that it finds", build});
  return all;
}

void print(const Topic& topic) {
  const std::vector<Entry> entries = topic.entries();
  size_t width = 18;
  for (const Entry& entry : entries) width = std::max(width, entry.name.size() + 4);
  fmt::print("{}: {}\n", topic.name, topic.meaning);
  for (const Entry& entry : entries) {
    fmt::print("  {:<{}}{}\n", entry.name, width - 2, entry.meaning);
    const auto line = [&](const std::string& what, const std::string& text) {
      if (!text.empty()) fmt::print("{:{}}{}: {}\n", "", width, what, text);
    };
    line("paper", entry.paper);
    line("stands in", fmt::format("{}", fmt::join(entry.stands, ", ")));
    line("refuses", fmt::format("{}", fmt::join(entry.refuses, "; ")));
  }
}

/// The settings whose key contains `part`.
bool print_keys(const std::string& part) {
  bool found = false;
  for (const auto& group : spec::choice_groups()) {
    if (group.path.find(part) == std::string::npos) continue;
    found = true;
    fmt::print("{}\n", group.path);
    for (const auto& choice : group.choices) fmt::print("  {:<16} {}\n", choice.name, choice.meaning);
    fmt::print("\n");
  }
  return found;
}

std::string topic_lines() {
  std::string lines;
  for (const Topic& topic : all_topics()) lines += fmt::format("\n  {:<16} {}", topic.name, topic.meaning);
  return lines;
}

std::string key_lines() {
  std::string lines;
  for (const auto& group : spec::choice_groups()) lines += "\n  " + group.path;
  return lines;
}

int list(const std::string& what) {
  for (const Topic& topic : all_topics()) {
    if (topic.name != what) continue;
    print(topic);
    return done;
  }
  if (!print_keys(what)) {
    throw Error("'" + what + "' is no topic, and nothing is chosen by name under a key with it. Topics:" +
                topic_lines() + "\nKeys:" + key_lines());
  }
  if (what.empty()) fmt::print("More of one topic: attnlab list TOPIC{}\n", topic_lines());
  return done;
}

}  // namespace

void add_list(CLI::App& app, int& exit_code) {
  auto what = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("list", "Every variant that a spec can name, with a line of explanation");
  verb->add_option(
      "what", *what,
      "a topic (attention, positions, norms, metrics, probes, generators, build): each entry with its paper, "
      "where it may stand and what it refuses; or a part of a key, e.g. norm.type");
  verb->callback([what, &exit_code] { exit_code = list(*what); });
}

}  // namespace attnlab::app
