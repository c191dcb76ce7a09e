// Packs of doubles with hardware FMA, on the compiler's vector types. Only for sources compiled with AVX2 or more;
// `Vectors` is a type of the including source, which keeps what is compiled for different instructions apart.
#pragma once

#include <immintrin.h>

#include "exec/interpreter_loop.hpp"

namespace noslip {

template <class Vectors>
struct VectorPack {
  using Scalar = double;
  using Value = typename Vectors::Value;
  static constexpr int lanes = Vectors::lanes;
  static Value load(const double* from) { return Vectors::load(from); }
  static void store(double* to, Value value) { Vectors::store(to, value); }
  static Value neg(Value a) { return -a; }
  static Value fma(Value a, Value b, Value c) { return Vectors::fma(a, b, c); }
  static Value fms(Value a, Value b, Value c) { return Vectors::fma(a, b, -c); }
  static Value fnma(Value a, Value b, Value c) { return Vectors::fma(-a, b, c); }
  static Value fnms(Value a, Value b, Value c) { return Vectors::fma(-a, b, -c); }
  static Value sqrt(Value a) { return Vectors::sqrt(a); }
  static Value abs(Value a) { return Vectors::abs(a); }
  static Value sign(Value a) {
    const Value zero{}, one = zero + 1.0;
    return (a > zero ? one : zero) - (a < zero ? one : zero);
  }
  static Value floor(Value a) { return Vectors::floor(a); }
  static Value min(Value a, Value b) { return a < b ? a : b; }
  static Value max(Value a, Value b) { return a > b ? a : b; }
  static Value less(Value a, Value b) {
    const Value zero{}, one = zero + 1.0;
    return a < b ? one : zero;
  }
  static Value select(Value a, Value b, Value c) {
    const Value zero{};
    return a > zero ? b : c;
  }
  template <class Run>
  static void calls(const Kernel<double>::Program& program, TapeOp op, const Run& run) {
    call_functions<lanes>(*program.functions, op, run, data_of(program.tables));
  }
};

}  // namespace noslip
