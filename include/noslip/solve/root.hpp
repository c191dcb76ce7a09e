// A root of a function of one variable between two points of opposite sign.
#pragma once

#include <cmath>

namespace noslip {

/// The root between a and b, where f(a) = fa and f(b) = fb have opposite signs (or one is zero), to the last digit of
/// the variable or until f vanishes: bisection or inverse quadratic interpolation, whichever T. R. Chandrupatla's rule
/// (Advances in Engineering Software 28, 1997) says is safe. The better of the last two points is given back. f is
/// called at most `most_calls` times.
template <class T, class Function>
T find_root(Function&& f, T a, T fa, T b, T fb, T resolution, int most_calls = 200) {
  const auto size = [](T x) { return x < 0 ? -x : x; };
  T c = a, fc = fa;  // the point before, on the side of a
  T part = T(0.5);   // of the way from a to b
  for (int call = 0; call < most_calls; ++call) {
    const T x = a + part * (b - a);
    const T fx = f(x);
    const bool is_on_side_of_a = (fx < 0) == (fa < 0);
    c = is_on_side_of_a ? a : b;
    fc = is_on_side_of_a ? fa : fb;
    if (!is_on_side_of_a) {
      b = a;
      fb = fa;
    }
    a = x;
    fa = fx;
    const bool a_is_better = size(fa) < size(fb);
    if (fx == 0 || size(b - a) <= 2 * resolution) return a_is_better ? a : b;
    const T least = resolution / size(b - a);
    const T xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    const bool is_safe = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
    part = is_safe ? fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb) : T(0.5);
    part = part < least ? least : part > 1 - least ? 1 - least : part;
  }
  return size(fa) < size(fb) ? a : b;
}

}  // namespace noslip
