#include "experiments/spec/topics.h"

#include <algorithm>

#include "experiments/spec/variants.h"
#include "tests/support/catch.h"

namespace attnlab::spec {
namespace {

const Entry& entry(const std::string& topic, const std::string& name) {
  static std::vector<Entry> entries;
  for (const Topic& one : topics()) {
    if (one.name == topic) entries = one.entries();
  }
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) { return one.name == name; });
  REQUIRE(found != entries.end());
  return *found;
}

TEST_CASE("every topic has entries, and each a meaning of one line and a place where it may stand") {
  for (const Topic& topic : topics()) {
    INFO(topic.name);
    const auto entries = topic.entries();
    CHECK(entries.size() > 1);
    for (const Entry& one : entries) {
      INFO(one.name);
      CHECK(!one.name.empty());
      CHECK(!one.meaning.empty());
      CHECK(one.meaning.find('\n') == std::string::npos);
      CHECK(!one.stands.empty());
    }
  }
}

TEST_CASE("an entry says where it stands, from which paper it is and what it refuses") {
  CHECK(entry("attention", "fused").refuses == std::vector<std::string>{"dropout.attention above 0", "shaw positions"});
  CHECK(entry("attention", "auto").refuses.empty());
  CHECK(entry("attention", "explicit").paper == "Vaswani et al. 2017");
  CHECK(entry("attention", "explicit").stands ==
        std::vector<std::string>{"encoder self-attention", "decoder self-attention", "cross-attention"});
  CHECK(entry("positions", "shaw").refuses == std::vector<std::string>{"fused attention"});
  CHECK(entry("positions", "rotary").refuses == std::vector<std::string>{"an odd d_k"});
  CHECK(entry("norms", "deep_norm").stands == std::vector<std::string>{"model.norm.placement"});
  CHECK(entry("metrics", "test.ter").meaning.ends_with("; lower is better"));
  CHECK(entry("generators", "copy").stands == std::vector<std::string>{"data.generator"});
}

}  // namespace
}  // namespace attnlab::spec
