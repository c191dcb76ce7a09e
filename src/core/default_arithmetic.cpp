#include <noslip/core/default_arithmetic.hpp>

#if defined(__x86_64__)

namespace noslip {

void DefaultArithmetic::set() const noexcept {
  const unsigned vector = vector_default | (vector_ & ~vector_control);
  const auto x87 = static_cast<unsigned short>(x87_default | (x87_ & ~x87_control));
  asm volatile("ldmxcsr %0" : : "m"(vector) : "memory");
  asm volatile("fldcw %0" : : "m"(x87) : "memory");
}

void DefaultArithmetic::restore() const noexcept {
  unsigned raised;
  asm volatile("stmxcsr %0" : "=m"(raised) : : "memory");
  // A flag with a trap must not stay raised: the x87 unit would stop the host at its next instruction.
  const unsigned trapped = ~(vector_ >> 7U) & 0x3FU;
  const unsigned vector = vector_ | (raised & 0x3FU & ~trapped);
  if ((x87_ & 0x3FU) != 0x3FU) asm volatile("fnclex" : : : "memory");
  asm volatile("fldcw %0" : : "m"(x87_) : "memory");
  asm volatile("ldmxcsr %0" : : "m"(vector) : "memory");
}

}  // namespace noslip

#endif
