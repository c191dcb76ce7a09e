// The interpreter for lanes of double, compiled with AVX2 and FMA.
#include <cassert>

#include "exec/program.hpp"

#if defined(__AVX2__) && defined(__FMA__)

#include "exec/vector_pack.hpp"

namespace noslip {
namespace {

struct Four {
  using Value = __m256d;
  static constexpr int lanes = 4;
  static Value load(const double* from) { return _mm256_loadu_pd(from); }
  static void store(double* to, Value value) { _mm256_storeu_pd(to, value); }
  static Value fma(Value a, Value b, Value c) { return _mm256_fmadd_pd(a, b, c); }
  static Value sqrt(Value a) { return _mm256_sqrt_pd(a); }
  static Value abs(Value a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
  static Value floor(Value a) { return _mm256_floor_pd(a); }
};

// Eight numbers are two halves.
struct Halves {
  __m256d low, high;
  friend Halves operator+(Halves a, Halves b) { return {a.low + b.low, a.high + b.high}; }
  friend Halves operator-(Halves a, Halves b) { return {a.low - b.low, a.high - b.high}; }
  friend Halves operator*(Halves a, Halves b) { return {a.low * b.low, a.high * b.high}; }
  friend Halves operator/(Halves a, Halves b) { return {a.low / b.low, a.high / b.high}; }
};

struct EightPack {
  using Half = VectorPack<Four>;
  using Scalar = double;
  using Value = Halves;
  static Halves load(const double* from) { return {Half::load(from), Half::load(from + 4)}; }
  static void store(double* to, Halves value) {
    Half::store(to, value.low);
    Half::store(to + 4, value.high);
  }
  static Halves neg(Halves a) { return {-a.low, -a.high}; }
  static Halves fma(Halves a, Halves b, Halves c) {
    return {Half::fma(a.low, b.low, c.low), Half::fma(a.high, b.high, c.high)};
  }
  static Halves fms(Halves a, Halves b, Halves c) { return fma(a, b, neg(c)); }
  static Halves fnma(Halves a, Halves b, Halves c) { return fma(neg(a), b, c); }
  static Halves fnms(Halves a, Halves b, Halves c) { return fma(neg(a), b, neg(c)); }
  static Halves sqrt(Halves a) { return {Half::sqrt(a.low), Half::sqrt(a.high)}; }
  static Halves abs(Halves a) { return {Half::abs(a.low), Half::abs(a.high)}; }
  static Halves sign(Halves a) { return {Half::sign(a.low), Half::sign(a.high)}; }
  static Halves floor(Halves a) { return {Half::floor(a.low), Half::floor(a.high)}; }
  static Halves min(Halves a, Halves b) { return {Half::min(a.low, b.low), Half::min(a.high, b.high)}; }
  static Halves max(Halves a, Halves b) { return {Half::max(a.low, b.low), Half::max(a.high, b.high)}; }
  static Halves less(Halves a, Halves b) { return {Half::less(a.low, b.low), Half::less(a.high, b.high)}; }
  static Halves select(Halves a, Halves b, Halves c) {
    return {Half::select(a.low, b.low, c.low), Half::select(a.high, b.high, c.high)};
  }
  template <class Run>
  static void calls(const Kernel<double>::Program& program, TapeOp op, const Run& run) {
    call_functions<8>(*program.functions, op, run, data_of(program.tables));
  }
};

}  // namespace

RunProgram<double> interpreter_avx2(int lanes) {
  assert(lanes > 1);
  return lanes == 4 ? interpret<VectorPack<Four>> : interpret<EightPack>;
}

}  // namespace noslip

#else

namespace noslip {
RunProgram<double> interpreter_avx2(int) { return nullptr; }
}  // namespace noslip

#endif
