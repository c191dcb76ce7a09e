// The guard of core/default_arithmetic.hpp for single steps. In double precision nothing uses the x87 unit, whose control
// word takes longer to read than everything else together.
#pragma once

#include <type_traits>

#include <noslip/core/default_arithmetic.hpp>

namespace noslip {

#if defined(__x86_64__)

class DefaultVectorArithmetic {
 public:
  DefaultVectorArithmetic() noexcept : before_(__builtin_ia32_stmxcsr()) {
    if ((before_ & control) != standard) [[unlikely]] __builtin_ia32_ldmxcsr(standard | (before_ & ~control));
  }
  ~DefaultVectorArithmetic() {
    if ((before_ & control) == standard) [[likely]] return;
    const unsigned trapped = ~(before_ >> 7U) & 0x3FU;
    __builtin_ia32_ldmxcsr(before_ | (__builtin_ia32_stmxcsr() & 0x3FU & ~trapped));
  }
  DefaultVectorArithmetic(const DefaultVectorArithmetic&) = delete;
  DefaultVectorArithmetic& operator=(const DefaultVectorArithmetic&) = delete;

 private:
  static constexpr unsigned control = 0xFFC0, standard = 0x1F80;
  unsigned before_;
};

template <class T>
using StepArithmetic = std::conditional_t<std::is_same_v<T, double>, DefaultVectorArithmetic, DefaultArithmetic>;

#else

template <class>
using StepArithmetic = DefaultArithmetic;

#endif

}  // namespace noslip
