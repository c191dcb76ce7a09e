// The loops of LU, compiled with AVX-512.
#include "solve/lu_loops.hpp"

#if defined(__AVX512F__)

#include <immintrin.h>

namespace noslip {
namespace {

struct EightNumbers {
  using Value = __m512d;
  static constexpr int lanes = 8, strip = 2;
  static Value load(const double* from) { return _mm512_loadu_pd(from); }
  static void store(double* to, Value value) { _mm512_storeu_pd(to, value); }
  static Value all(double value) { return _mm512_set1_pd(value); }
  static Value fnma(Value a, Value b, Value c) { return _mm512_fnmadd_pd(a, b, c); }
  static Value abs(Value a) { return _mm512_andnot_pd(_mm512_set1_pd(-0.0), a); }
  static Value max(Value a, Value b) { return _mm512_maskz_max_pd(0xFF, a, b); }
};

}  // namespace

const LuLoops* lu_avx512() { return &LuLoopsOf<EightNumbers>::loops; }

}  // namespace noslip

#else

namespace noslip {
const LuLoops* lu_avx512() { return nullptr; }
}  // namespace noslip

#endif
