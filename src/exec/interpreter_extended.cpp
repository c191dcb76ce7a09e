// The interpreter for long double and quadruple precision.
#include "exec/interpreter_loop.hpp"
#include "tape/arithmetic.hpp"

namespace noslip {
namespace {

template <class T>
struct ExtendedPack {
  using Scalar = T;
  using Value = T;
  static T load(const T* from) { return *from; }
  static void store(T* to, T value) { *to = value; }
  static T neg(T a) { return -a; }
  static T fma(T a, T b, T c) { return a * b + c; }
  static T fms(T a, T b, T c) { return a * b - c; }
  static T fnma(T a, T b, T c) { return c - a * b; }
  static T fnms(T a, T b, T c) { return -(a * b) - c; }
  static T sqrt(T a) { return extended::sqrt(a); }
  static T abs(T a) { return extended::abs(a); }
  static T sign(T a) { return evaluate<T>(TapeOp::sign, a, 0, 0); }
  static T floor(T a) { return extended::floor(a); }
  static T min(T a, T b) { return a < b ? a : b; }
  static T max(T a, T b) { return a > b ? a : b; }
  static T less(T a, T b) { return a < b ? 1 : 0; }
  static T select(T a, T b, T c) { return a > 0 ? b : c; }
  template <class Run>
  static void calls(const typename Kernel<T>::Program& program, TapeOp op, const Run& run) {
    for (auto step = run.begin; step != run.end; ++step) {
      const T a = run.scratch[step->a], b = run.scratch[step->b];
      if (op == TapeOp::sincos) {
        extended::sincos(a, run.scratch[step->out], run.scratch[step->c]);
      } else if (op == TapeOp::interval) {
        run.scratch[step->out] = interval_in(*program.tables, a, b);
      } else if (op == TapeOp::entry) {
        run.scratch[step->out] = entry_in(*program.tables, a, b);
      } else {
        run.scratch[step->out] = evaluate<T>(op, a, b, 0);
      }
    }
  }
};

}  // namespace

template <class T>
RunProgram<T> interpreter_extended() {
  return interpret<ExtendedPack<T>>;
}

template RunProgram<long double> interpreter_extended<long double>();
template RunProgram<quad> interpreter_extended<quad>();

}  // namespace noslip
