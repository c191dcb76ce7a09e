#include "exec/isa.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/core/printable.hpp>

namespace noslip {
namespace {

/// The environment variable NOSLIP_ISA: instructions that are not to be used count as missing.
Isa allowed_isa() {
  const char* const given = std::getenv("NOSLIP_ISA");
  const std::string_view name = given != nullptr ? given : "";
  if (name == "baseline") return Isa::baseline;
  if (name == "avx2") return Isa::avx2;
  if (name.empty() || name == "avx512") return Isa::avx512;
  throw InputError(fmt::format("the environment variable NOSLIP_ISA is '{}'", one_line(name)),
                   "unset it, or choose one of baseline, avx2 and avx512");
}

}  // namespace

Isa native_isa() {
  static const Isa allowed = allowed_isa();
#if defined(__x86_64__)
  static const Isa isa = std::min(allowed, [] {
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
  return std::min(allowed, Isa::baseline);
#endif
}

}  // namespace noslip
