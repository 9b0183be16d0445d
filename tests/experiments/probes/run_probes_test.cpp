#include "experiments/probes/run_probes.h"

#include <cmath>

#include "experiments/probes/registry.h"
#include "experiments/spec/describe.h"
#include "tests/experiments/training/tiny_run.h"
#include "tests/support/catch.h"
#include "tests/support/error_message.h"
#include "tests/support/well_formed.h"

namespace attnlab::probes {
namespace {

TEST_CASE("the spec knows exactly the probes that there are") {
  spec::RunConfig config;
  std::vector<std::string> named, made;
  const spec::Table table = spec::describe(config);
  for (const spec::Choice& choice : table.find("evaluation.probes")->choices) named.push_back(choice.name);
  for (const ProbeVariant& variant : probe_variants()) made.push_back(variant.name);
  CHECK(named == made);
}

TEST_CASE("without probes nothing is written; an unknown one is refused") {
  spec::RunConfig config = tests::tiny_config();
  const data::Dataset dataset = tests::dataset_of(config);
  const tests::TemporaryFolder folder;
  const RunProbes none(config, dataset, folder.path() / "probes");
  CHECK(none.empty());
  CHECK_FALSE(std::filesystem::exists(folder.path() / "probes"));
  config.evaluation.probes = {"length"};
  CHECK(tests::mentions(tests::error_message([&] { RunProbes(config, dataset, folder.path()); }), "evaluation.probes",
                        "'length'", "lengths, encodings"));
}

TEST_CASE("every probe tells finite numbers under its own name, and leaves the model as it was") {
  const spec::RunConfig config = tests::tiny_config();
  const data::Dataset dataset = tests::dataset_of(config);
  for (const ProbeVariant& variant : probe_variants()) {
    INFO(variant.name);
    const tests::TemporaryFolder folder;
    const ProbeInput input{config, dataset, folder.path()};
    auto model = tests::model_of(config, dataset);
    const auto untouched = tests::model_of(config, dataset);
    const auto probe = variant.make(input);
    probe->begin(model);
    probe->stepped(model, 1);
    const Findings findings = probe->finish(model, /*trained=*/true);
    CHECK(findings.document.is_object());
    CHECK(!findings.document.empty());
    CHECK(!findings.metrics.empty());
    for (const auto& [name, value] : findings.metrics) {
      INFO(name);
      CHECK(name.starts_with(variant.name + "."));
      CHECK(std::isfinite(value));
    }
    if (!findings.picture.empty()) CHECK(tests::well_formed_problem(findings.picture) == "");
    CHECK(tests::largest_difference(*model, *untouched) == 0);
  }
}

TEST_CASE("a diverged training keeps its gradients and its chance") {
  spec::RunConfig config = tests::tiny_config();
  for (const ProbeVariant& variant : probe_variants()) config.evaluation.probes.push_back(variant.name);
  const data::Dataset dataset = tests::dataset_of(config);
  const tests::TemporaryFolder folder;
  auto model = tests::model_of(config, dataset);
  RunProbes probes(config, dataset, folder.path());
  probes.begin(model);
  const auto metrics = probes.finish(model, /*trained=*/false);
  CHECK(metrics.count("gradients.start.norm") == 1);
  CHECK(metrics.at("chance.unigram_loss") > 1);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "lengths.json"));
}

}  // namespace
}  // namespace attnlab::probes
