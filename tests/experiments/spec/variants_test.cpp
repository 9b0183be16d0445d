#include "experiments/spec/variants.h"

#include "tests/support/catch.h"

namespace attnlab::spec {
namespace {

TEST_CASE("the nearest name is one that may have been meant") {
  CHECK(nearest("haeds", {"d_model", "heads", "d_k"}) == "heads");
  CHECK(nearest("warm_up", {"warmup", "peak"}) == "warmup");
  CHECK(nearest("completely_else", {"warmup", "peak"}).empty());
  CHECK(nearest(std::string(1'000'000, 'x'), {"warmup"}).empty());
  CHECK(nearest("x", {}).empty());
}

TEST_CASE("every name that can be chosen has a line of explanation") {
  const auto groups = choice_groups();
  CHECK(groups.size() > 10);
  for (const ChoiceGroup& group : groups) {
    for (const Choice& choice : group.choices) {
      INFO(group.path << " " << choice.name);
      CHECK(!choice.meaning.empty());
      CHECK(choice.meaning.find('\n') == std::string::npos);
    }
  }
}

TEST_CASE("kernels include the automatic choice") {
  CHECK(attention_kernels().front().name == "auto");
}

TEST_CASE("the tokenizers of BLEU are those that need no files") {
  CHECK(names_of(bleu_tokenizers()) == "none, zh, 13a, intl, char");
}

}  // namespace
}  // namespace attnlab::spec
