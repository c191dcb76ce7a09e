// The interpreter for double where the processor has no FMA: one rounding is then the library's business.
#include <cmath>

#include "exec/interpreter_loop.hpp"

namespace noslip {
namespace {

template <int Width>
struct Lanes {
  double lane[Width];

  template <class Operation>
  static Lanes each(Operation operation) {
    Lanes result;
    for (int k = 0; k < Width; ++k) result.lane[k] = operation(k);
    return result;
  }
  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return each([&](int k) { return a.lane[k] + b.lane[k]; });
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return each([&](int k) { return a.lane[k] - b.lane[k]; });
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return each([&](int k) { return a.lane[k] * b.lane[k]; });
  }
  friend Lanes operator/(const Lanes& a, const Lanes& b) {
    return each([&](int k) { return a.lane[k] / b.lane[k]; });
  }
};

template <int Width>
struct BaselinePack {
  using Scalar = double;
  using Value = Lanes<Width>;
  static Value load(const double* from) {
    return Value::each([&](int k) { return from[k]; });
  }
  static void store(double* to, const Value& value) { std::memcpy(to, value.lane, sizeof value.lane); }
  static Value neg(const Value& a) {
    return Value::each([&](int k) { return -a.lane[k]; });
  }
  static Value fma(const Value& a, const Value& b, const Value& c) {
    return Value::each([&](int k) { return std::fma(a.lane[k], b.lane[k], c.lane[k]); });
  }
  static Value fms(const Value& a, const Value& b, const Value& c) {
    return Value::each([&](int k) { return std::fma(a.lane[k], b.lane[k], -c.lane[k]); });
  }
  static Value fnma(const Value& a, const Value& b, const Value& c) {
    return Value::each([&](int k) { return std::fma(-a.lane[k], b.lane[k], c.lane[k]); });
  }
  static Value fnms(const Value& a, const Value& b, const Value& c) {
    return Value::each([&](int k) { return std::fma(-a.lane[k], b.lane[k], -c.lane[k]); });
  }
  static Value sqrt(const Value& a) {
    return Value::each([&](int k) { return std::sqrt(a.lane[k]); });
  }
  static Value abs(const Value& a) {
    return Value::each([&](int k) { return std::fabs(a.lane[k]); });
  }
  static Value sign(const Value& a) {
    return Value::each([&](int k) { return (a.lane[k] > 0 ? 1.0 : 0.0) - (a.lane[k] < 0 ? 1.0 : 0.0); });
  }
  static Value floor(const Value& a) {
    return Value::each([&](int k) { return std::floor(a.lane[k]); });
  }
  static Value min(const Value& a, const Value& b) {
    return Value::each([&](int k) { return a.lane[k] < b.lane[k] ? a.lane[k] : b.lane[k]; });
  }
  static Value max(const Value& a, const Value& b) {
    return Value::each([&](int k) { return a.lane[k] > b.lane[k] ? a.lane[k] : b.lane[k]; });
  }
  static Value less(const Value& a, const Value& b) {
    return Value::each([&](int k) { return a.lane[k] < b.lane[k] ? 1.0 : 0.0; });
  }
  static Value select(const Value& a, const Value& b, const Value& c) {
    return Value::each([&](int k) { return a.lane[k] > 0 ? b.lane[k] : c.lane[k]; });
  }
  template <class Run>
  static void calls(const Kernel<double>::Program& program, TapeOp op, const Run& run) {
    call_functions<Width>(*program.functions, op, run, data_of(program.tables));
  }
};

}  // namespace

RunProgram<double> interpreter_baseline(int lanes) {
  return lanes == 1 ? interpret<BaselinePack<1>> : lanes == 4 ? interpret<BaselinePack<4>> : interpret<BaselinePack<8>>;
}

}  // namespace noslip
