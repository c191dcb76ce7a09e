// The loops of LU, one number at a time.
#include "solve/lu_loops.hpp"

namespace noslip {
namespace {

struct OneNumber {
  using Value = double;
  static constexpr int lanes = 1, strip = 4;
  static Value load(const double* from) { return *from; }
  static void store(double* to, Value value) { *to = value; }
  static Value all(double value) { return value; }
  static Value fnma(Value a, Value b, Value c) { return std::fma(-a, b, c); }
  static Value abs(Value a) { return std::fabs(a); }
  static Value max(Value a, Value b) { return a > b ? a : b; }
};

}  // namespace

const LuLoops& lu_baseline() { return LuLoopsOf<OneNumber>::loops; }

}  // namespace noslip
