// SLEEF's reproducible functions (`finz`) for one number and for four. Compiled with AVX2 and FMA.
#include "exec/functions.hpp"

#if NOSLIP_HAS_SLEEF && defined(__AVX2__) && defined(__FMA__)

#include <sleef.h>

namespace noslip {
namespace {

template <auto Function>
void unary1(const double* a, const double*, double* out, double*) {
  *out = Function(*a);
}

template <auto Function>
void binary1(const double* a, const double* b, double* out, double*) {
  *out = Function(*a, *b);
}

void sincos1(const double* a, const double*, double* out, double* out2) {
  const auto both = Sleef_finz_sincosd1_u10purecfma(*a);
  *out = both.x;
  *out2 = both.y;
}

// Halves: one half gives four numbers, two of them eight. Both are read before the first is written.
template <int Halves, auto Function>
void unary4(const double* a, const double*, double* out, double*) {
  const __m256d low = _mm256_loadu_pd(a), high = _mm256_loadu_pd(a + 4 * (Halves - 1));
  _mm256_storeu_pd(out, Function(low));
  if (Halves > 1) _mm256_storeu_pd(out + 4, Function(high));
}

template <int Halves, auto Function>
void binary4(const double* a, const double* b, double* out, double*) {
  const __m256d low_a = _mm256_loadu_pd(a), high_a = _mm256_loadu_pd(a + 4 * (Halves - 1));
  const __m256d low_b = _mm256_loadu_pd(b), high_b = _mm256_loadu_pd(b + 4 * (Halves - 1));
  _mm256_storeu_pd(out, Function(low_a, low_b));
  if (Halves > 1) _mm256_storeu_pd(out + 4, Function(high_a, high_b));
}

template <int Halves>
void sincos4(const double* a, const double*, double* out, double* out2) {
  const __m256d low = _mm256_loadu_pd(a), high = _mm256_loadu_pd(a + 4 * (Halves - 1));
  const auto first = Sleef_finz_sincosd4_u10avx2(low);
  _mm256_storeu_pd(out, first.x);
  _mm256_storeu_pd(out2, first.y);
  if (Halves > 1) {
    const auto rest = Sleef_finz_sincosd4_u10avx2(high);
    _mm256_storeu_pd(out + 4, rest.x);
    _mm256_storeu_pd(out2 + 4, rest.y);
  }
}

// In the order of TapeOp; with_lookups() has those that are missing.
constexpr std::array<FunctionCall, FunctionTable::count> for_one = {
    unary1<Sleef_finz_sind1_u10purecfma>,  unary1<Sleef_finz_cosd1_u10purecfma>,
    unary1<Sleef_finz_tand1_u10purecfma>,  unary1<Sleef_finz_asind1_u10purecfma>,
    unary1<Sleef_finz_acosd1_u10purecfma>, unary1<Sleef_finz_atand1_u10purecfma>,
    unary1<Sleef_finz_sinhd1_u10purecfma>, unary1<Sleef_finz_coshd1_u10purecfma>,
    unary1<Sleef_finz_tanhd1_u10purecfma>, unary1<Sleef_finz_expd1_u10purecfma>,
    unary1<Sleef_finz_logd1_u10purecfma>,  binary1<Sleef_finz_atan2d1_u10purecfma>,
    binary1<Sleef_finz_powd1_u10purecfma>, nullptr, nullptr, sincos1};

template <int Halves>
constexpr std::array<FunctionCall, FunctionTable::count> for_four() {
  return {unary4<Halves, Sleef_finz_sind4_u10avx2>,  unary4<Halves, Sleef_finz_cosd4_u10avx2>,
          unary4<Halves, Sleef_finz_tand4_u10avx2>,  unary4<Halves, Sleef_finz_asind4_u10avx2>,
          unary4<Halves, Sleef_finz_acosd4_u10avx2>, unary4<Halves, Sleef_finz_atand4_u10avx2>,
          unary4<Halves, Sleef_finz_sinhd4_u10avx2>, unary4<Halves, Sleef_finz_coshd4_u10avx2>,
          unary4<Halves, Sleef_finz_tanhd4_u10avx2>, unary4<Halves, Sleef_finz_expd4_u10avx2>,
          unary4<Halves, Sleef_finz_logd4_u10avx2>,  binary4<Halves, Sleef_finz_atan2d4_u10avx2>,
          binary4<Halves, Sleef_finz_powd4_u10avx2>, nullptr, nullptr, sincos4<Halves>};
}

template <class... Functions>
std::array<PlainFunction, FunctionTable::count> plain(Functions... functions) {
  return {reinterpret_cast<PlainFunction>(functions)...};
}

}  // namespace

const FunctionTable* functions_avx2() {
  static const FunctionTable table = with_lookups({
      for_one, for_four<1>(), for_four<2>(), 4,
      plain(Sleef_finz_sind1_u10purecfma, Sleef_finz_cosd1_u10purecfma, Sleef_finz_tand1_u10purecfma,
            Sleef_finz_asind1_u10purecfma, Sleef_finz_acosd1_u10purecfma, Sleef_finz_atand1_u10purecfma,
            Sleef_finz_sinhd1_u10purecfma, Sleef_finz_coshd1_u10purecfma, Sleef_finz_tanhd1_u10purecfma,
            Sleef_finz_expd1_u10purecfma, Sleef_finz_logd1_u10purecfma, Sleef_finz_atan2d1_u10purecfma,
            Sleef_finz_powd1_u10purecfma, PlainFunction(nullptr), PlainFunction(nullptr),
            Sleef_finz_sincosd1_u10purecfma)});
  return &table;
}

}  // namespace noslip

#else

namespace noslip {
const FunctionTable* functions_avx2() { return nullptr; }
}  // namespace noslip

#endif
