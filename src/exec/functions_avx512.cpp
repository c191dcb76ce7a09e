// SLEEF's reproducible functions (`finz`) for eight numbers; one and four are those of AVX2. Compiled with AVX-512.
#include "exec/functions.hpp"

#if NOSLIP_HAS_SLEEF && defined(__AVX512F__)

#include <sleef.h>

namespace noslip {
namespace {

template <auto Function>
void unary8(const double* a, const double*, double* out, double*) {
  _mm512_storeu_pd(out, Function(_mm512_loadu_pd(a)));
}

template <auto Function>
void binary8(const double* a, const double* b, double* out, double*) {
  _mm512_storeu_pd(out, Function(_mm512_loadu_pd(a), _mm512_loadu_pd(b)));
}

void sincos8(const double* a, const double*, double* out, double* out2) {
  const auto both = Sleef_finz_sincosd8_u10avx512f(_mm512_loadu_pd(a));
  _mm512_storeu_pd(out, both.x);
  _mm512_storeu_pd(out2, both.y);
}

// In the order of TapeOp.
constexpr std::array<FunctionCall, FunctionTable::count> for_eight = {
    unary8<Sleef_finz_sind8_u10avx512f>,  unary8<Sleef_finz_cosd8_u10avx512f>,
    unary8<Sleef_finz_tand8_u10avx512f>,  unary8<Sleef_finz_asind8_u10avx512f>,
    unary8<Sleef_finz_acosd8_u10avx512f>, unary8<Sleef_finz_atand8_u10avx512f>,
    unary8<Sleef_finz_sinhd8_u10avx512f>, unary8<Sleef_finz_coshd8_u10avx512f>,
    unary8<Sleef_finz_tanhd8_u10avx512f>, unary8<Sleef_finz_expd8_u10avx512f>,
    unary8<Sleef_finz_logd8_u10avx512f>,  binary8<Sleef_finz_atan2d8_u10avx512f>,
    binary8<Sleef_finz_powd8_u10avx512f>, nullptr, nullptr, sincos8};

}  // namespace

const FunctionTable* functions_avx512() {
  const FunctionTable* narrow = functions_avx2();
  if (narrow == nullptr) return nullptr;
  static const FunctionTable table = with_lookups({narrow->one, narrow->four, for_eight, 8, narrow->plain_one});
  return &table;
}

}  // namespace noslip

#else

namespace noslip {
const FunctionTable* functions_avx512() { return nullptr; }
}  // namespace noslip

#endif
