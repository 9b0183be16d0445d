#pragma once
/// Compiles one loop several times, for wider and wider vectors, and runs the widest that the processor has. The build
/// itself stays portable: no flag is needed, and on other processors than x86-64 there is one version.
///
///   struct Loop { ATTNLAB_INLINE static void run(float* x, int64_t count) {...} };
///   multiversion<Loop>(x, count);
///
/// Everything that `run` calls must be ATTNLAB_INLINE too, or it is compiled for the narrow vectors. Contraction of
/// a*b+c is off for the whole project, so every version gives the same bits (but in the files of matrix products and of
/// the sums of decoding, where it is worth a third of their time).

#define ATTNLAB_INLINE inline __attribute__((always_inline))
#define ATTNLAB_INLINE_LAMBDA __attribute__((always_inline))

namespace attnlab::modules::cpu {

#if defined(__x86_64__)

enum class Vectors { baseline, avx2, avx512 };

/// The widest vectors of this processor.
inline Vectors widest_vectors() {
  static const Vectors widest = [] {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
      return Vectors::avx512;
    }
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? Vectors::avx2 : Vectors::baseline;
  }();
  return widest;
}

template <class Loop, class... Arguments>
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))) void run_avx512(Arguments... arguments) {
  Loop::run(arguments...);
}

template <class Loop, class... Arguments>
__attribute__((target("avx2,fma"))) void run_avx2(Arguments... arguments) {
  Loop::run(arguments...);
}

template <class Loop, class... Arguments>
void multiversion(const Arguments&... arguments) {
  switch (widest_vectors()) {
    case Vectors::avx512:
      return run_avx512<Loop, Arguments...>(arguments...);
    case Vectors::avx2:
      return run_avx2<Loop, Arguments...>(arguments...);
    default:
      return Loop::run(arguments...);
  }
}

#else

enum class Vectors { baseline };

inline Vectors widest_vectors() {
  return Vectors::baseline;
}

template <class Loop, class... Arguments>
void multiversion(const Arguments&... arguments) {
  Loop::run(arguments...);
}

#endif

}  // namespace attnlab::modules::cpu
