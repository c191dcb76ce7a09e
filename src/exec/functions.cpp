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

template <int Width>
void find_intervals(const double* a, const double* b, double* out, double* data) {
  const auto& tables = *reinterpret_cast<const std::vector<Table>*>(data);
  for (int lane = 0; lane < Width; ++lane) out[lane] = interval_in(tables, a[lane], b[lane]);
}

template <int Width>
void find_entries(const double* a, const double* b, double* out, double* data) {
  const auto& tables = *reinterpret_cast<const std::vector<Table>*>(data);
  for (int lane = 0; lane < Width; ++lane) out[lane] = entry_in(tables, a[lane], b[lane]);
}

// In the order of TapeOp; the lookups come later.
template <int Width>
constexpr std::array<FunctionCall, FunctionTable::count> from_library() {
  return {unary<Width, std::sin>,  unary<Width, std::cos>,  unary<Width, std::tan>,  unary<Width, std::asin>,
          unary<Width, std::acos>, unary<Width, std::atan>, unary<Width, std::sinh>, unary<Width, std::cosh>,
          unary<Width, std::tanh>, unary<Width, std::exp>,  unary<Width, std::log>,  binary<Width, std::atan2>,
          binary<Width, std::pow>, nullptr,                 nullptr,                 sine_and_cosine<Width>};
}

}  // namespace

FunctionTable with_lookups(FunctionTable functions) {
  const auto place = [](TapeOp op) { return static_cast<std::size_t>(op) - static_cast<std::size_t>(TapeOp::sin); };
  const std::size_t interval = place(TapeOp::interval), entry = place(TapeOp::entry);
  functions.one[interval] = find_intervals<1>;
  functions.four[interval] = find_intervals<4>;
  functions.eight[interval] = find_intervals<8>;
  functions.one[entry] = find_entries<1>;
  functions.four[entry] = find_entries<4>;
  functions.eight[entry] = find_entries<8>;
  return functions;
}

const FunctionTable& functions(Isa isa) {
  static const FunctionTable library =
      with_lookups({from_library<1>(), from_library<4>(), from_library<8>(), 1});
  const FunctionTable* table = nullptr;
  if (isa == Isa::avx512) table = functions_avx512();
  if (table == nullptr && isa != Isa::baseline) table = functions_avx2();
  return table != nullptr ? *table : library;
}

const char* elementary_functions() {
  return native_isa() != Isa::baseline && functions_avx2() != nullptr ? "SLEEF" : "C library";
}

}  // namespace noslip
