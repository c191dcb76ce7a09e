// The loops of LU, compiled with AVX2 and FMA.
#include "solve/lu_loops.hpp"

#if defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

namespace noslip {
namespace {

struct FourNumbers {
  using Value = __m256d;
  static constexpr int lanes = 4, strip = 1;
  static Value load(const double* from) { return _mm256_loadu_pd(from); }
  static void store(double* to, Value value) { _mm256_storeu_pd(to, value); }
  static Value all(double value) { return _mm256_set1_pd(value); }
  static Value fnma(Value a, Value b, Value c) { return _mm256_fnmadd_pd(a, b, c); }
  static Value abs(Value a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
  static Value max(Value a, Value b) { return _mm256_max_pd(a, b); }
};

}  // namespace

const LuLoops* lu_avx2() { return &LuLoopsOf<FourNumbers>::loops; }

}  // namespace noslip

#else

namespace noslip {
const LuLoops* lu_avx2() { return nullptr; }
}  // namespace noslip

#endif
