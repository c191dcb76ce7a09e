// The operations of a tape on one number of extended precision, each as tape.hpp defines it.
//
// `fma` and its relatives round twice here: libquadmath and the x87 library functions with one rounding cost fifty
// times a product and a sum, and these types are not compared bit for bit with anything.
#pragma once

#include <cmath>
#include <quadmath.h>

#include <noslip/tape/tape.hpp>

namespace noslip {

// One name for the functions of each type.
namespace extended {
inline long double sqrt(long double x) { return std::sqrt(x); }
inline long double sin(long double x) { return std::sin(x); }
inline long double cos(long double x) { return std::cos(x); }
inline void sincos(long double x, long double& sine, long double& cosine) {
  sine = std::sin(x);
  cosine = std::cos(x);
}
inline long double tan(long double x) { return std::tan(x); }
inline long double asin(long double x) { return std::asin(x); }
inline long double acos(long double x) { return std::acos(x); }
inline long double atan(long double x) { return std::atan(x); }
inline long double sinh(long double x) { return std::sinh(x); }
inline long double cosh(long double x) { return std::cosh(x); }
inline long double tanh(long double x) { return std::tanh(x); }
inline long double exp(long double x) { return std::exp(x); }
inline long double log(long double x) { return std::log(x); }
inline long double floor(long double x) { return std::floor(x); }
inline long double abs(long double x) { return std::fabs(x); }
inline long double atan2(long double y, long double x) { return std::atan2(y, x); }
inline long double pow(long double x, long double y) { return std::pow(x, y); }

inline quad sqrt(quad x) { return sqrtq(x); }
inline quad sin(quad x) { return sinq(x); }
inline quad cos(quad x) { return cosq(x); }
/// With the bits of both, in two thirds of the time.
inline void sincos(quad x, quad& sine, quad& cosine) { sincosq(x, &sine, &cosine); }
inline quad tan(quad x) { return tanq(x); }
inline quad asin(quad x) { return asinq(x); }
inline quad acos(quad x) { return acosq(x); }
inline quad atan(quad x) { return atanq(x); }
inline quad sinh(quad x) { return sinhq(x); }
inline quad cosh(quad x) { return coshq(x); }
inline quad tanh(quad x) { return tanhq(x); }
inline quad exp(quad x) { return expq(x); }
inline quad log(quad x) { return logq(x); }
inline quad floor(quad x) { return floorq(x); }
inline quad abs(quad x) { return fabsq(x); }
inline quad atan2(quad y, quad x) { return atan2q(y, x); }
inline quad pow(quad x, quad y) { return powq(x, y); }
}  // namespace extended

/// The value of one instruction; `sincos` gives the sine. T is long double or quad.
template <class T>
inline T evaluate(TapeOp op, T a, T b, T c) {
  switch (op) {
    case TapeOp::neg: return -a;
    case TapeOp::add: return a + b;
    case TapeOp::sub: return a - b;
    case TapeOp::mul: return a * b;
    case TapeOp::div: return a / b;
    case TapeOp::fma: return a * b + c;
    case TapeOp::fms: return a * b - c;
    case TapeOp::fnma: return c - a * b;
    case TapeOp::fnms: return -(a * b) - c;
    case TapeOp::sqrt: return extended::sqrt(a);
    case TapeOp::abs: return extended::abs(a);
    case TapeOp::sign: return static_cast<T>((a > 0 ? 1 : 0) - (a < 0 ? 1 : 0));
    case TapeOp::floor: return extended::floor(a);
    case TapeOp::min: return a < b ? a : b;
    case TapeOp::max: return a > b ? a : b;
    case TapeOp::less: return static_cast<T>(a < b ? 1 : 0);
    case TapeOp::select: return a > 0 ? b : c;
    case TapeOp::sin:
    case TapeOp::sincos: return extended::sin(a);
    case TapeOp::cos:
    case TapeOp::second: return extended::cos(a);
    case TapeOp::tan: return extended::tan(a);
    case TapeOp::asin: return extended::asin(a);
    case TapeOp::acos: return extended::acos(a);
    case TapeOp::atan: return extended::atan(a);
    case TapeOp::sinh: return extended::sinh(a);
    case TapeOp::cosh: return extended::cosh(a);
    case TapeOp::tanh: return extended::tanh(a);
    case TapeOp::exp: return extended::exp(a);
    case TapeOp::log: return extended::log(a);
    case TapeOp::atan2: return extended::atan2(a, b);
    case TapeOp::pow: return extended::pow(a, b);
    case TapeOp::interval:
    case TapeOp::entry:
    case TapeOp::argument:
    case TapeOp::call: break;  // functions of more than numbers
  }
  return a;
}

}  // namespace noslip
