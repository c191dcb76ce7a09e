// Which instructions the processor has, as far as the back ends care.
#pragma once

namespace noslip {

enum class Isa {
  baseline,  ///< nothing beyond what the compiler assumes; no hardware FMA
  avx2,      ///< AVX2, FMA and BMI2
  avx512     ///< AVX-512 F, VL, DQ besides
};

/// What this processor can do (and the operating system saves); the environment variable NOSLIP_ISA (baseline, avx2,
/// avx512) can make it less. InputError if that has another value.
Isa native_isa();

}  // namespace noslip
