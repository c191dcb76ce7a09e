// The arithmetic that results depend on: rounding to nearest, with subnormal numbers, without traps.
//
// A host program may have chosen another one for its thread (fesetround, FTZ and DAZ, feenableexcept). Every function of
// the library that computes has a guard, so that results do not depend on it.
#pragma once

#if !defined(__x86_64__)
#include <cfenv>
#endif

namespace noslip {

/// Sets the default arithmetic of this thread, and when it is destroyed what was there before. Reading costs about a
/// nanosecond; only what differs is written. Flags of exceptions that were raised in between stay raised, unless the
/// host has traps for them.
class DefaultArithmetic {
 public:
#if defined(__x86_64__)
  DefaultArithmetic() noexcept {
    asm volatile("stmxcsr %0" : "=m"(vector_) : : "memory");
    asm volatile("fnstcw %0" : "=m"(x87_) : : "memory");
    is_other_ = (vector_ & vector_control) != vector_default || (x87_ & x87_control) != x87_default;
    if (is_other_) [[unlikely]] set();
  }
  ~DefaultArithmetic() {
    if (is_other_) [[unlikely]] restore();
  }

 private:
  void set() const noexcept;
  void restore() const noexcept;

  static constexpr unsigned vector_control = 0xFFC0, vector_default = 0x1F80;       // of MXCSR
  static constexpr unsigned short x87_control = 0x0F3F, x87_default = 0x033F;       // of the control word
  unsigned vector_;
  unsigned short x87_;
  bool is_other_;
#else
  DefaultArithmetic() noexcept { std::fegetenv(&before_), std::fesetenv(FE_DFL_ENV); }
  ~DefaultArithmetic() { std::fesetenv(&before_); }

 private:
  std::fenv_t before_;
#endif

 public:
  DefaultArithmetic(const DefaultArithmetic&) = delete;
  DefaultArithmetic& operator=(const DefaultArithmetic&) = delete;
};

}  // namespace noslip
