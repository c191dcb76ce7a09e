// The interpreter for eight doubles at once, compiled with AVX-512; fewer lanes gain nothing from it.
#include "exec/program.hpp"

#if defined(__AVX512F__)

#include "exec/vector_pack.hpp"

namespace noslip {
namespace {

struct Eight {
  using Value = __m512d;
  static constexpr int lanes = 8;
  static Value load(const double* from) { return _mm512_loadu_pd(from); }
  static void store(double* to, Value value) { _mm512_storeu_pd(to, value); }
  static Value fma(Value a, Value b, Value c) { return _mm512_fmadd_pd(a, b, c); }
  static Value sqrt(Value a) { return _mm512_maskz_sqrt_pd(0xFF, a); }
  static Value abs(Value a) { return _mm512_andnot_pd(_mm512_set1_pd(-0.0), a); }
  static Value floor(Value a) { return _mm512_maskz_roundscale_pd(0xFF, a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
};

}  // namespace

RunProgram<double> interpreter_avx512(int lanes) {
  return lanes == 8 ? interpret<VectorPack<Eight>> : interpreter_avx2(lanes);
}

}  // namespace noslip

#else

namespace noslip {
RunProgram<double> interpreter_avx512(int) { return nullptr; }
}  // namespace noslip

#endif
