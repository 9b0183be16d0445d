// Which way a call goes.

#include "modules/attention/route.h"

#include "modules/cpu/attention.h"
#include "modules/multi_head_attention.h"
#include "tests/modules/support.h"

using namespace attnlab::modules;
using namespace attnlab::modules::testing;

namespace {

const KernelTraits& traits_of(const std::string& name) {
  return find_attention(name)->traits;
}

PackedHeads projections() {
  return {torch::ones({2, 3, 3 * 8}), {}, 2, 4, 4};
}

KeyPool pool_of_three() {
  return {torch::ones({3, 8}), torch::ones({3, 8}), 3, torch::arange(3).view({1, 3})};
}

}  // namespace

TEST_CASE("Only a routed kernel leaves heads together, and only while nothing acts on them one by one") {
  const AttentionCall call{Visible::past()};
  CHECK(takes_packed(traits_of("auto"), projections(), call, /*apart=*/false) == cpu::has_attention());
  CHECK_FALSE(takes_packed(traits_of("auto"), projections(), call, /*apart=*/true));
  for (const auto* kernel : {"explicit", "fused"}) {
    CHECK_FALSE(takes_packed(traits_of(kernel), projections(), call, /*apart=*/false));
  }
}

TEST_CASE("Only a routed kernel attends with one query straight on a cache") {
  const torch::NoGradGuard no_grad;
  const auto q = torch::ones({1, 2, 1, 4});
  const auto pool = pool_of_three();
  CHECK(takes_one_query(traits_of("auto"), q, pool, {Visible::past()}));
  CHECK_FALSE(takes_one_query(traits_of("auto"), torch::ones({1, 2, 2, 4}), pool, {Visible::past()}));
  for (const auto* kernel : {"explicit", "fused"}) {
    CHECK_FALSE(takes_one_query(traits_of(kernel), q, pool, {Visible::past()}));
  }
}

TEST_CASE("The fused kernel serves what needs no weights, drops none, and learns no bias on a CPU") {
  DropoutStream stream(1, 2, 3);
  const auto bias = torch::zeros({1, 1, 3, 3});
  CHECK(takes_fused({Visible::past()}));
  CHECK(takes_fused({Visible::past(), bias}));
  CHECK(takes_fused({Visible::past(), {}, 0.1, /*stream=*/nullptr}));
  CHECK_FALSE(takes_fused({Visible::past(), {}, 0.1, &stream}));
  CHECK_FALSE(takes_fused({Visible::past(), {}, 0, nullptr, /*weights=*/true}));
  CHECK_FALSE(takes_fused({Visible::past(), bias.clone().requires_grad_()}));
}

TEST_CASE("A kernel that is asked for what it cannot do does not do something else") {
  MultiHeadAttentionOptions options(4, 2);
  options.kernel = "fused";
  options.dropout = 0.5;
  MultiHeadAttention attention(options);
  DropoutStream stream(1, 2, 3);
  Context context{&stream};
  const Sequence sequence{Visible::past(), {0, 3}, nullptr, {}};
  CHECK_THROWS_AS(attention->forward(torch::ones({1, 3, 4}), sequence, nullptr, context), c10::Error);
}
