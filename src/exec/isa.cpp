#include "exec/isa.hpp"

namespace noslip {

Isa native_isa() {
#if defined(__x86_64__)
  static const Isa isa = [] {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2")) {
      return Isa::baseline;
    }
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512dq")) {
      return Isa::avx2;
    }
    return Isa::avx512;
  }();
  return isa;
#else
  return Isa::baseline;
#endif
}

}  // namespace noslip
