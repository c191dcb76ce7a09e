#include "exec/isa.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace noslip {
namespace {

/// The environment variable NOSLIP_ISA: instructions that are not to be used count as missing.
Isa allowed_isa() {
  const char* const given = std::getenv("NOSLIP_ISA");
  const std::string_view name = given != nullptr ? given : "";
  return name == "baseline" ? Isa::baseline : name == "avx2" ? Isa::avx2 : Isa::avx512;
}

}  // namespace

Isa native_isa() {
#if defined(__x86_64__)
  static const Isa isa = std::min(allowed_isa(), [] {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2")) {
      return Isa::baseline;
    }
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512dq")) {
      return Isa::avx2;
    }
    return Isa::avx512;
  }());
  return isa;
#else
  return Isa::baseline;
#endif
}

}  // namespace noslip
