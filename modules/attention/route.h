#pragma once
/// Which way a call of attention goes, and why. A kernel that was chosen by name serves every call itself. A routed one
/// (`auto`) takes the first of these that can do what is asked; all give the same but for rounding:
///
///   packed     straight from the projections to the input of W_O (`attention/packed.h`): training on a CPU
///   one query  straight from the keys and values of a cache (`attention/one_query.h`): steps of decoding on a CPU
///   fused      LibTorch's operation (`attention/fused_kernel.h`), which never holds the weights
///   explicit   the formula, written out (`attention/explicit_kernel.h`), which can do everything
///
/// A recorder is no reason: it must not change what is computed.

#include "modules/attention/key_pool.h"
#include "modules/attention/packed.h"
#include "modules/attention/registry.h"

namespace attnlab::modules {

/// True if the call is served by `packed_attention`. `apart`: something acts on heads of their own, as positions in
/// attention and gates do.
bool takes_packed(const KernelTraits& kernel, const PackedHeads& heads, const AttentionCall& call, bool apart);

/// True if the call is served by `attend_one_query`.
bool takes_one_query(const KernelTraits& kernel, const torch::Tensor& q, const KeyPool& pool,
                     const AttentionCall& call);

/// True if the call of a routed kernel, on heads of their own, is served by the fused kernel; false: by the explicit
/// one.
bool takes_fused(const AttentionCall& call);

}  // namespace attnlab::modules
