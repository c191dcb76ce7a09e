#include "exec/functions.hpp"

#include <cmath>

#include <noslip/exec/processor.hpp>

namespace noslip {
namespace {

template <int Width, double (*Function)(double)>
void unary(const double* a, const double*, double* out, double*) {
  for (int lane = 0; lane < Width; ++lane) out[lane] = Function(a[lane]);
}

template <int Width, double (*Function)(double, double)>
void binary(const double* a, const double* b, double* out, double*) {
  for (int lane = 0; lane < Width; ++lane) out[lane] = Function(a[lane], b[lane]);
}

template <int Width>
void sine_and_cosine(const double* a, const double*, double* out, double* out2) {
  for (int lane = 0; lane < Width; ++lane) {
    const double x = a[lane];
    out[lane] = std::sin(x);
    out2[lane] = std::cos(x);
  }
}

// In the order of TapeOp.
template <int Width>
constexpr std::array<FunctionCall, FunctionTable::count> from_library() {
  return {unary<Width, std::sin>,  unary<Width, std::cos>,  unary<Width, std::tan>,  unary<Width, std::asin>,
          unary<Width, std::acos>, unary<Width, std::atan>, unary<Width, std::sinh>, unary<Width, std::cosh>,
          unary<Width, std::tanh>, unary<Width, std::exp>,  unary<Width, std::log>,  binary<Width, std::atan2>,
          binary<Width, std::pow>, sine_and_cosine<Width>};
}

}  // namespace

const FunctionTable& functions(Isa isa) {
  static const FunctionTable library{from_library<1>(), from_library<4>(), from_library<8>(), 1};
  const FunctionTable* table = nullptr;
  if (isa == Isa::avx512) table = functions_avx512();
  if (table == nullptr && isa != Isa::baseline) table = functions_avx2();
  return table != nullptr ? *table : library;
}

const char* elementary_functions() {
  return native_isa() != Isa::baseline && functions_avx2() != nullptr ? "SLEEF" : "C library";
}

}  // namespace noslip
