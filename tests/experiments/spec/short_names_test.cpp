#include "experiments/spec/short_names.h"

#include "tests/support/catch.h"

namespace attnlab::spec {
namespace {

using Names = std::vector<std::string>;

TEST_CASE("the end of a path has so many words, without a closing type") {
  CHECK(path_end("model.norm.placement", 1) == "placement");
  CHECK(path_end("model.norm.placement", 2) == "norm.placement");
  CHECK(path_end("model.norm.placement", 9) == "model.norm.placement");
  CHECK(path_end("model.norm.type", 1) == "norm");
  CHECK(path_end("type", 1) == "type");
}

TEST_CASE("names are shortened as far as they stay different") {
  CHECK(short_names({"model.heads", "model.norm.placement"}) == Names{"heads", "placement"});
  CHECK(short_names({"model.norm.type", "model.positions.type"}) == Names{"norm", "positions"});
  CHECK(short_names({"a.x.size", "b.x.size", "variant"}) == Names{"a.x.size", "b.x.size", "variant"});
  CHECK(short_names({"data.seed", "seed"}) == Names{"data.seed", "seed"});
}

}  // namespace
}  // namespace attnlab::spec
